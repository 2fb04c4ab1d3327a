// The input tensor is given back to the queue of outputs.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t T = 192;

// a2lint: launch(block_dim=1, x=float[768], y=float[768], tiles=4)
extern "C" __global__ __aicore__ void squares_swapped(GM_ADDR x, GM_ADDR y, int32_t tiles)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueueX;
    TQue<TPosition::VECOUT, 1> outQueueY;
    pipe.InitBuffer(inQueueX, 2, T * sizeof(float));
    pipe.InitBuffer(outQueueY, 2, T * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, tiles * T);
    gy.SetGlobalBuffer((__gm__ float*)y, tiles * T);
    for (int32_t i = 0; i < tiles; i++) {
        LocalTensor<float> xLocal = inQueueX.AllocTensor<float>();
        DataCopy(xLocal, gx[i * T], T);
        inQueueX.EnQue(xLocal);
        LocalTensor<float> a = inQueueX.DeQue<float>();
        LocalTensor<float> b = outQueueY.AllocTensor<float>();
        Mul(b, a, a, T);
//+        outQueueY.FreeTensor(a);  //~ progress
        inQueueX.FreeTensor(a);//-
        outQueueY.EnQue(b);
        LocalTensor<float> yLocal = outQueueY.DeQue<float>();
        DataCopy(gy[i * T], yLocal, T);
        outQueueY.FreeTensor(yLocal);
    }
}
