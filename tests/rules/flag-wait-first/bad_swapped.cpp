#include <pto/pto-inst.hpp>

using namespace pto;

__global__ AICORE void select_rows(GlobalT &gm0, GlobalT &out) {
    using TileT = Tile<TileType::Vec, float, 16, 64>;
    using MaskT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
    using TmpT = Tile<TileType::Vec, uint8_t, 1, 32>;
    TileT src0, src1, dst;
    MaskT mask(16, 8);
    TmpT tmp;
    TASSIGN(src0, 0x0);
    TASSIGN(src1, 0x1000);
    TASSIGN(dst, 0x2000);
    TASSIGN(mask, 0x3000);
    TASSIGN(tmp, 0x4000);
    TLOAD(src0, gm0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);  //~ ERROR flag-wait-first: nothing has set a flag from MTE2 to V
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TSEL(dst, mask, src0, src1, tmp);
}
