#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, x=half[80], y=half[80])
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 64);
    pipe.InitBuffer(out, 1, 64);
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * 20);
    gy.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * 20);
    auto a = in.AllocTensor<half>();
    DataCopy(a, gx, 20);
    in.EnQue(a);
    a = in.DeQue<half>();
    auto b = out.AllocTensor<half>();
    Add(b, a, a, 20);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<half>();
    DataCopyPad(gy, b, {1, 20 * sizeof(half), 0, 0, 0});
    out.FreeTensor(b);
}
