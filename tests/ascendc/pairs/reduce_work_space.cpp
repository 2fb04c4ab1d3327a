// ReduceMax with an index keeps a pair for each repeat in its work buffer: eight elements are too few.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[1024], y=float[8])
extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> work;
    pipe.InitBuffer(in, 1, 1024 * sizeof(float));
//+    pipe.InitBuffer(work, 8 * sizeof(float));
    pipe.InitBuffer(work, 64 * sizeof(float));//-
    pipe.InitBuffer(out, 1, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 1024);
    gy.SetGlobalBuffer((__gm__ float*)y, 8);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, 1024);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
    Duplicate(r, 0.0f, 8);
//+    ReduceMax(r, t, work.Get<float>(), 1024, true);  //~ operands
    ReduceMax(r, t, work.Get<float>(), 1024, true);//-
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<float>();
    DataCopy(gy, r, 8);
    out.FreeTensor(r);
}
