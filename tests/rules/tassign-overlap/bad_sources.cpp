#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 32, 64>;
    Tile<TileType::Vec, uint8_t, 32, 32, BLayout::RowMajor, -1, -1> mask(32, 8);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TileT src0, src1, dst;
    TASSIGN(src0, 0x1000);
    TASSIGN(src1, 0x2000);  //~ ERROR tassign-overlap: 0x1000..0x3000 and 0x2000..0x4000 share 4096 bytes
    TASSIGN(dst, 0x4000);
    TASSIGN(mask, 0x6000);
    TASSIGN(tmp, 0x6400);
    TSEL(dst, mask, src0, src1, tmp);
}
