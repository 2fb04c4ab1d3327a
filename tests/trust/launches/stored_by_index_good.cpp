// Indices in memory select the rows of a cache that the kernel stores: the other rows keep what they hold.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, rows=8, x=float[128], index=int32[2], cache=float[1024])
extern "C" __global__ __aicore__ void update(GM_ADDR x, GM_ADDR index, GM_ADDR cache, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> q;
    pipe.InitBuffer(q, 1, 256);
    GlobalTensor<float> gx, gc;
    GlobalTensor<int32_t> gi;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 64);
    gi.SetGlobalBuffer((__gm__ int32_t*)index);
    auto row = gi.GetValue(GetBlockIdx());
    gc.SetGlobalBuffer((__gm__ float*)cache + GetBlockIdx() * rows * 64 + row * 64);
    auto a = q.AllocTensor<float>();
    DataCopy(a, gx, 64);
    q.EnQue(a);
    a = q.DeQue<float>();
    DataCopy(gc, a, 64);
    q.FreeTensor(a);
}
