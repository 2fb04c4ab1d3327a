// a2lint: device a5
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, uint8_t, 1, 512>;
    TileT src0, src1, dst;
    Tile<TileType::Vec, uint8_t, 1, 64, BLayout::RowMajor, -1, -1> mask(1, 64);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, src0, src1, tmp);  //~ WARNING tsel-element-size: columns 256 to 511 of `dst`
}
