// A queue with two buffers, none of which is ever given back.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, rows=16, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 2, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
        auto a = in.AllocTensor<float>();  //~ ERROR event-unbalanced: `AllocTensor` without `FreeTensor`
        DataCopy(a, gx[r * 64], 64);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Adds(b, a, 1.0f, 64);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy[r * 64], b, 64);
        out.FreeTensor(b);
    }
}
