#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    MaskT mask(16, 2);
    TASSIGN(mask, 0x1000);
}
