// GatherMask closes the gaps: the destination holds half of the elements, and the rest is what it was.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void even_elements(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 512 * sizeof(float));
    pipe.InitBuffer(out, 1, 512 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 512);
    gy.SetGlobalBuffer((__gm__ float*)y, 512);
    auto a = in.AllocTensor<float>();
    DataCopy(a, gx, 512);
    in.EnQue(a);
    a = in.DeQue<float>();
    auto b = out.AllocTensor<float>();
    uint64_t kept = 0;
    GatherMaskParams params(1, 8, 8, 0);
    GatherMask(b, a, 1, false, 0, params, kept);
    Duplicate(b[256], 0.0f, 256);//-
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
//+    DataCopy(gy, b, 512);  //~ initialised
    DataCopy(gy, b, 512);//-
    out.FreeTensor(b);
}
