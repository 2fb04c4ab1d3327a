// The length in DataCopyParams has 16 bits: of 81,920 bytes 16,384 remain.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[20480], y=float[20480], n=20480)
extern "C" __global__ __aicore__ void long_copy(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, n * sizeof(float));
    pipe.InitBuffer(out, 1, n * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, n);
    gy.SetGlobalBuffer((__gm__ float*)y, n);
    auto a = in.AllocTensor<float>();
//+    DataCopyParams load;
    DataCopyExtParams load;//-
    load.blockLen = n * sizeof(float);
//+    DataCopyPadParams none;
//+    DataCopyPad(a, gx, load, none);  //~ scalars
    DataCopyPadExtParams<float> none;//-
    DataCopyPad(a, gx, load, none);//-
    in.EnQue(a);
    a = in.DeQue<float>();
    auto b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, n);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopyExtParams store(1, n * sizeof(float), 0, 0, 0);
    DataCopyPad(gy, b, store);
    out.FreeTensor(b);
}
