// Reductions of blocks take the repeats before the mask.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[1024], y=float[128])
extern "C" __global__ __aicore__ void block_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 1024 * sizeof(float));
    pipe.InitBuffer(out, 1, 128 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 1024);
    gy.SetGlobalBuffer((__gm__ float*)y, 128);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, 1024);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto s = out.AllocTensor<float>();
//+    BlockReduceSum<float>(s, t, 64, 16, 1, 1, 8);  //~ operands
    BlockReduceSum<float>(s, t, 16, 64, 1, 1, 8);//-
    in.FreeTensor(t);
    out.EnQue(s);
    s = out.DeQue<float>();
    DataCopy(gy, s, 128);
    out.FreeTensor(s);
}
