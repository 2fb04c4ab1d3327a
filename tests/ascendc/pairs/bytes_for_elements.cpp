// DataCopyPad takes its length in bytes: with the number of elements a quarter of the row arrives.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[400], y=float[400], n=400)
extern "C" __global__ __aicore__ void relu_pad(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, n * sizeof(float));
    pipe.InitBuffer(out, 1, n * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, n);
    gy.SetGlobalBuffer((__gm__ float*)y, n);
    LocalTensor<float> a = in.AllocTensor<float>();
//+    DataCopyExtParams load{1, n, 0, 0, 0};
    DataCopyExtParams load{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};//-
    DataCopyPadExtParams<float> pad{false, 0, 0, 0};
    DataCopyPad(a, gx, load, pad);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Relu(b, a, n);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopyExtParams store{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};
//+    DataCopyPad(gy, b, store);  //~ initialised
    DataCopyPad(gy, b, store);//-
    out.FreeTensor(b);
}
