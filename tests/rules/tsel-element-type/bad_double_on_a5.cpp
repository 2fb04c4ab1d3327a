// a2lint: device a5
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, double, 1, 64>;
    TileT src0, src1, dst;
    Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1> mask(1, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, src0, src1, tmp);  //~ ERROR tsel-element-type: TSEL does not take double on A5
}
