#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(int rows) {
    Tile<TileType::Vec, float, 16, 16, BLayout::RowMajor, -1, -1> t(rows, 16);
    TASSIGN(t, 0x1000);
}
