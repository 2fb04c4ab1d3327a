#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(17, 2);  //~ ERROR tile-valid-range: `mask` has 16 rows, but 17
    TASSIGN(mask, 0x1000);
}
