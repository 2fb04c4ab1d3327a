// The tensor is put into one queue and taken out of another, in which there is none.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void crossed(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 512 * sizeof(float));
    pipe.InitBuffer(out, 1, 512 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 512);
    gy.SetGlobalBuffer((__gm__ float*)y, 512);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, 512);
//+    auto v = in.DeQue<float>();  //~ progress
    in.EnQue(t);//-
    auto v = in.DeQue<float>();//-
    auto r = out.AllocTensor<float>();
    Sqrt(r, v, 512);
    in.FreeTensor(v);
    out.EnQue(r);
    r = out.DeQue<float>();
    DataCopy(gy, r, 512);
    out.FreeTensor(r);
}
