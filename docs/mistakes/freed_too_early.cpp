#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 64 * sizeof(float));
    pipe.InitBuffer(out, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 256);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 256);
    for (int32_t i = 0; i < 4; i++) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        in.FreeTensor(a);
        Add(b, a, a, 64);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy[i * 64], b, 64);
        out.FreeTensor(b);
    }
}
