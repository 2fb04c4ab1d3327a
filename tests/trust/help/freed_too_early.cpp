// The tensor is free before its last use: the flags that a race would ask for deadlock where the loop is unrolled.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=half[2048], y=half[2048])
extern "C" __global__ __aicore__ void thrice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256 * sizeof(half));
    pipe.InitBuffer(out, 1, 256 * sizeof(half));
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * 1024);
    gy.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * 1024);
    for (int32_t i = 0; i < 4; i++) {
        auto a = in.AllocTensor<half>();
        DataCopy(a, gx[i * 256], 256);  //~ ERROR race: nothing orders V→MTE2
        in.EnQue(a);
        a = in.DeQue<half>();
        auto b = out.AllocTensor<half>();
        in.FreeTensor(a);
        Muls(b, a, static_cast<half>(3.0), 256);
        out.EnQue(b);
        b = out.DeQue<half>();
        DataCopy(gy[i * 256], b, 256);
        out.FreeTensor(b);
    }
}
