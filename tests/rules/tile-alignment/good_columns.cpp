#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Vec, float, 16, 1, BLayout::ColMajor> sums;
    Tile<TileType::Vec, half, 16, 16> whole;
    TASSIGN(sums, 0x0);
    TASSIGN(whole, 0x40);
}
