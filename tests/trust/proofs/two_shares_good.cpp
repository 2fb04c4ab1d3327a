// The host deals shares of two sizes; what a2lint asks of its numbers holds of what it computes.
#include "kernel_operator.h"
using namespace AscendC;

struct ShareTiling {
    uint32_t small;
    uint32_t big;
    uint32_t bigCores;
    uint32_t tile;
    uint32_t smallTiles;
    uint32_t smallLast;
    uint32_t bigTiles;
    uint32_t bigLast;
};

//~ VERDICT two_shares.operands: proved-if t.smallLast <= t.tile
//~ VERDICT two_shares.scalars: proved-if t.small <= t.big
//~ VERDICT two_shares.order: holds
// a2lint: launch(block_dim=3, x=half[1664], y=half[1664], t.small=512, t.big=640, t.bigCores=1, t.tile=256, t.smallTiles=2, t.smallLast=256, t.bigTiles=3, t.bigLast=128)
extern "C" __global__ __aicore__ void two_shares(GM_ADDR x, GM_ADDR y, ShareTiling t)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    GlobalTensor<half> gx, gy;
    uint32_t share, tiles, last, tile = t.tile;
    uint32_t start = t.big * GetBlockIdx();
    if (GetBlockIdx() < t.bigCores) {
        share = t.big;
        tiles = t.bigTiles;
        last = t.bigLast;
    } else {
        share = t.small;
        tiles = t.smallTiles;
        last = t.smallLast;
        start -= (t.big - t.small) * (GetBlockIdx() - t.bigCores);
    }
    gx.SetGlobalBuffer((__gm__ half*)x + start, share);
    gy.SetGlobalBuffer((__gm__ half*)y + start, share);
    pipe.InitBuffer(in, 2, tile * sizeof(half));
    pipe.InitBuffer(out, 2, tile * sizeof(half));
    uint32_t size = tile;
    for (uint32_t i = 0; i < tiles; i++) {
        if (i == tiles - 1) {
            size = last;
        }
        auto a = in.AllocTensor<half>();
        DataCopy(a, gx[i * tile], size);
        in.EnQue(a);
        a = in.DeQue<half>();
        auto b = out.AllocTensor<half>();
        Muls(b, a, (half)2.0, size);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<half>();
        DataCopy(gy[i * tile], b, size);
        out.FreeTensor(b);
    }
}
