// The kernel never asks which block it is: the host starts it with one, and invented launches do so, too.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void swap(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> q;
    pipe.InitBuffer(q, 2, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t i = 0; i < rows; i++) {
        auto a = q.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        q.EnQue(a);
        a = q.DeQue<float>();
        DataCopy(gy[(rows - 1 - i) * 64], a, 64);
        q.FreeTensor(a);
    }
}
