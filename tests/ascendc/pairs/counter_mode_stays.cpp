// Counter mode is still on when a reduction with repeats of its own is called: it takes the mask for a count.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void counted_scale(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256 * sizeof(float));
    pipe.InitBuffer(out, 1, 256 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 256);
    gy.SetGlobalBuffer((__gm__ float*)y, 256);
    auto a = in.AllocTensor<float>();
    DataCopy(a, gx, 256);
    in.EnQue(a);
    a = in.DeQue<float>();
    auto b = out.AllocTensor<float>();
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(128);
    Muls<float, false>(b, a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
//+    Muls(b[128], a[128], 3.0f, 64, 2, {1, 1, 8, 8});  //~ counter-mode
    SetMaskNorm();//-
    ResetMask();//-
    Muls(b[128], a[128], 3.0f, 64, 2, {1, 1, 8, 8});//-
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(gy, b, 256);
    out.FreeTensor(b);
//+    SetMaskNorm();
}
