// a2lint: device a5
#include <pto/pto-inst.hpp>

using namespace pto;

// The manual knows 2 and 4 bytes, the header of A5 takes 8 as well.
AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, int64_t, 1, 64>;
    TileT src0, src1, dst;
    Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1> mask(1, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, src0, src1, tmp);  //~ WARNING tsel-element-size: on A5
}
