// The same after the tiles have grown: the distance has not.
#include <pto/pto-inst.hpp>

using namespace pto;

void grown() {
    using TileT = Tile<TileType::Vec, float, 32, 64>;
    using MaskT = Tile<TileType::Vec, uint8_t, 32, 32, BLayout::RowMajor, -1, -1>;
    TileT src0, src1, dst;
    MaskT mask(32, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TASSIGN(src0, 0x1000);
    TASSIGN(src1, 0x2000);  //~ ERROR tassign-overlap: `src0` and `src1`
    TASSIGN(dst, 0x3000);  //~ ERROR tassign-overlap: `dst` and `src1`
    TASSIGN(mask, 0x5000);
    TASSIGN(tmp, 0x5400);
    TSEL(dst, mask, src0, src1, tmp);
}
