// The vector unit takes operands that start on 32 bytes.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[264], y=float[256])
extern "C" __global__ __aicore__ void differences(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 264 * sizeof(float));
    pipe.InitBuffer(out, 1, 256 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 264);
    gy.SetGlobalBuffer((__gm__ float*)y, 256);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, 264);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto d = out.AllocTensor<float>();
//+    Sub(d, t[1], t, 256);  //~ operands
    Sub(d, t[8], t, 256);//-
    in.FreeTensor(t);
    out.EnQue(d);
    d = out.DeQue<float>();
    DataCopy(gy, d, 256);
    out.FreeTensor(d);
}
