// Two loads write one block of UB, and the order among loads is not given.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64], z=float[120])
extern "C" __global__ __aicore__ void join(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> both;
    pipe.InitBuffer(both, 1, 128 * sizeof(float));
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float*)x, 64);
    gy.SetGlobalBuffer((__gm__ float*)y, 64);
    gz.SetGlobalBuffer((__gm__ float*)z, 120);
    auto t = both.AllocTensor<float>();
    DataCopy(t, gx, 64);
//+    DataCopy(t[56], gy, 64);  //~ order
    PipeBarrier<PIPE_MTE2>();//-
    DataCopy(t[56], gy, 64);//-
    both.EnQue(t);
    t = both.DeQue<float>();
    DataCopy(gz, t, 120);
    both.FreeTensor(t);
}
