#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    Tile<TileType::Mat, half, 128, 128, BLayout::ColMajor, 128, 128, SLayout::RowMajor, 512> a;
    TASSIGN(a, 0x40000);
}
