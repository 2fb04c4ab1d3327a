// A float becomes an int32 by one of five roundings; CAST_NONE is none of them.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COUNT = 128;

// a2lint: launch(block_dim=1, x=float[128], y=int[128])
extern "C" __global__ __aicore__ void to_int(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, COUNT * sizeof(float));
    pipe.InitBuffer(out, 1, COUNT * sizeof(int32_t));
    GlobalTensor<float> gx;
    GlobalTensor<int32_t> gy;
    gx.SetGlobalBuffer((__gm__ float*)x, COUNT);
    gy.SetGlobalBuffer((__gm__ int32_t*)y, COUNT);
    auto f = in.AllocTensor<float>();
    DataCopy(f, gx, COUNT);
    in.EnQue(f);
    f = in.DeQue<float>();
    auto i = out.AllocTensor<int32_t>();
//+    Cast(i, f, RoundMode::CAST_NONE, COUNT);  //~ operands
    Cast(i, f, RoundMode::CAST_ROUND, COUNT);//-
    in.FreeTensor(f);
    out.EnQue(i);
    i = out.DeQue<int32_t>();
    DataCopy(gy, i, COUNT);
    out.FreeTensor(i);
}
