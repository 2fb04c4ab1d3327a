// Each core starts one tile after its neighbour, but works on two: neighbours store the same tile.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 512;
constexpr uint32_t PER_CORE = 2;

//+// a2lint: launch(block_dim=4, x=half[2560], y=half[2560])
// a2lint: launch(block_dim=4, x=half[4096], y=half[4096])//-
extern "C" __global__ __aicore__ void plus_index(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(half));
    pipe.InitBuffer(out, 2, TILE * sizeof(half));
    GlobalTensor<half> gx, gy;
//+    const uint32_t start = GetBlockIdx() * TILE;
    const uint32_t start = GetBlockIdx() * TILE * PER_CORE;//-
    gx.SetGlobalBuffer((__gm__ half*)x + start, TILE * PER_CORE);
    gy.SetGlobalBuffer((__gm__ half*)y + start, TILE * PER_CORE);
    for (uint32_t i = 0; i < PER_CORE; i++) {
        auto t = in.AllocTensor<half>();
        DataCopy(t, gx[i * TILE], TILE);
        in.EnQue(t);
        t = in.DeQue<half>();
        auto r = out.AllocTensor<half>();
        Adds(r, t, static_cast<half>((float)GetBlockIdx()), TILE);
        in.FreeTensor(t);
        out.EnQue(r);
        r = out.DeQue<half>();
//+        DataCopy(gy[i * TILE], r, TILE);  //~ ownership
        DataCopy(gy[i * TILE], r, TILE);//-
        out.FreeTensor(r);
    }
}
