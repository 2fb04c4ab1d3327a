// The sum is taken over more elements than were filled.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=float[2, 96], y=float[16])
extern "C" __global__ __aicore__ void sum_96(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> work;
    pipe.InitBuffer(in, 1, 128 * sizeof(float));
    pipe.InitBuffer(out, 1, 32);
    pipe.InitBuffer(work, 128 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 96, 96);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 8, 8);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, 96);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto s = out.AllocTensor<float>();
    Duplicate(s, 0.0f, 8);
//+    ReduceSum(s, t, work.Get<float>(), 128);  //~ initialised
    ReduceSum(s, t, work.Get<float>(), 96);//-
    in.FreeTensor(t);
    out.EnQue(s);
    s = out.DeQue<float>();
    DataCopy(gy, s, 8);
    out.FreeTensor(s);
}
