// DataCopy moves whole blocks of 32 bytes: of 20 halfs the last four stay behind.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[20], y=half[20])
extern "C" __global__ __aicore__ void short_row(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 64);
    pipe.InitBuffer(out, 1, 64);
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, 20);
    gy.SetGlobalBuffer((__gm__ half*)y, 20);
    auto t = in.AllocTensor<half>();
//+    DataCopy(t, gx, 20);
    DataCopyPad(t, gx, {1, 20 * sizeof(half), 0, 0, 0}, {false, 0, 0, 0});//-
    in.EnQue(t);
    t = in.DeQue<half>();
    auto r = out.AllocTensor<half>();
//+    Abs(r, t, 20);  //~ initialised
    Abs(r, t, 20);//-
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<half>();
    DataCopyPad(gy, r, {1, 20 * sizeof(half), 0, 0, 0});
    out.FreeTensor(r);
}
