// With one buffer the second tensor has no place, and with two buffers it has.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y, uint32_t buffers)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> q;
    pipe.InitBuffer(q, buffers, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 128);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 128);
    auto a = q.AllocTensor<float>();
    DataCopy(a, gx, 64);
    q.EnQue(a);
    auto b = q.AllocTensor<float>();
    DataCopy(b, gx[64], 64);
    q.EnQue(b);  //~ ERROR event-unbalanced: while all of its buffers are enqueued
    a = q.DeQue<float>();
    DataCopy(gy, a, 64);
    q.FreeTensor(a);
    b = q.DeQue<float>();
    DataCopy(gy[64], b, 64);
    q.FreeTensor(b);
}
//~ VERDICT halves[buffers=2].progress: proved
//~ NOT-ANALYSED
