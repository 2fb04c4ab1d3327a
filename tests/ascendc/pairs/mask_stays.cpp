// A call with a mask of 16 lanes leaves it in the register; the one after it takes the mask as it is.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void mask_user(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256 * sizeof(float));
    pipe.InitBuffer(out, 1, 256 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 256);
    gy.SetGlobalBuffer((__gm__ float*)y, 256);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, 256);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
    Adds(t, t, 1.0f, 16, 4, {1, 1, 8, 8});
    ResetMask();//-
    Muls<float, false>(r, t, 2.0f, MASK_PLACEHOLDER, 4, {1, 1, 8, 8});
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<float>();
//+    DataCopy(gy, r, 256);  //~ initialised
    DataCopy(gy, r, 256);//-
    out.FreeTensor(r);
}
