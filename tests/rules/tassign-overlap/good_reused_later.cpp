#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows() {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    TileT src0, src1, dst;
    MaskT mask(16, 2);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TileT scaled;
    TASSIGN(src0, 0x1000);
    TASSIGN(src1, 0x2000);
    TASSIGN(dst, 0x3000);
    TASSIGN(mask, 0x4000);
    TASSIGN(tmp, 0x5000);
    TSEL(dst, mask, src0, src1, tmp);
    TASSIGN(scaled, 0x1200);
    TMULS(scaled, dst, 2.0f);
}
