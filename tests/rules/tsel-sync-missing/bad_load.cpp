#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void select_rows(GlobalT &gm0, GlobalT &gm1, GlobalM &gmMask, GlobalT &out) {
    using TileT = Tile<TileType::Vec, float, 16, 16>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT src0, src1, dst;
    MaskT mask(16, 2);
    TmpT tmp;
    TASSIGN(src0, 0x1000);
    TASSIGN(src1, 0x2000);
    TASSIGN(dst, 0x3000);
    TASSIGN(mask, 0x4000);
    TASSIGN(tmp, 0x5000);
    TLOAD(src0, gm0);
    TLOAD(src1, gm1);
    TLOAD(mask, gmMask);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    TSEL(dst, mask, src0, src1, tmp);  //~ ERROR tsel-sync-missing: takes `mask` without waiting for TLOAD on MTE2
}
