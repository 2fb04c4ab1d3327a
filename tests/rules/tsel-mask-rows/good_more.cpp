#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(GlobalT &gm0, GlobalT &out) {
    using TileT = Tile<TileType::Vec, float, 16, 64>;
    using MaskT = Tile<TileType::Vec, uint8_t, 32, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT src0, src1, dst;
    MaskT mask(32, 8);
    TmpT tmp;
    TSEL(dst, mask, src0, src1, tmp);
}
