#include <pto/pto-inst.hpp>

using namespace pto;

// The instruction takes the address of its scratch alone.
AICORE void remainder_rows(int rows) {
    using TmpT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    TileT dst, src0, src1;
    TmpT tmpTile(16, 64);
    TASSIGN(dst, 0x0);
    TASSIGN(src0, 0x1000);
    TASSIGN(src1, 0x2000);
    TASSIGN(tmpTile, 0x4000);
    TREM(dst, src0, src1, tmpTile);
}
