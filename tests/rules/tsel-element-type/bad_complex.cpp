#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, complex32, 16, 16>;
    TileT src0, src1, dst;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(dst, mask, src0, src1, tmp);  //~ ERROR tsel-element-type: does not take complex32 on A2/A3
}
