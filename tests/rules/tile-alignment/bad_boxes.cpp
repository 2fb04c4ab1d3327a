#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using MatT = Tile<TileType::Mat, half, 24, 24, BLayout::ColMajor, 24, 24, SLayout::RowMajor, 512>;  //~ ERROR tile-alignment: 24 x 24 half does not consist of 16 x 16
    MatT a;
    TASSIGN(a, 0x0);
}
