// a2lint: device a2
#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, int8_t, 16, 32>;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 4);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TileT src0, src1, dst;
    TSEL(dst, mask, src0, src1, tmp);  //~ ERROR tsel-element-size: 2 or 4 bytes on A2/A3, but `dst` holds int8_t of 1
}
