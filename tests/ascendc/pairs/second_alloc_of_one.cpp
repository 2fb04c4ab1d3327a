// The queue has one buffer: the second AllocTensor waits for it for ever.
#include "kernel_operator.h"
using namespace AscendC;

#define N 512

//+constexpr int32_t BUFFERS = 1;
constexpr int32_t BUFFERS = 2;//-

// a2lint: launch(block_dim=1, x=half[1024], y=half[512])
extern "C" __global__ __aicore__ void add_halves(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, BUFFERS> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, BUFFERS, N * sizeof(half));
    pipe.InitBuffer(out, 1, N * sizeof(half));
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, 2 * N);
    gy.SetGlobalBuffer((__gm__ half*)y, N);
    LocalTensor<half> first = in.AllocTensor<half>();
    DataCopy(first, gx, N);
    in.EnQue(first);
//+    LocalTensor<half> second = in.AllocTensor<half>();  //~ progress
    LocalTensor<half> second = in.AllocTensor<half>();//-
    DataCopy(second, gx[N], N);
    in.EnQue(second);
    first = in.DeQue<half>();
    second = in.DeQue<half>();
    LocalTensor<half> sum = out.AllocTensor<half>();
    Add(sum, first, second, N);
    in.FreeTensor(first);
    in.FreeTensor(second);
    out.EnQue(sum);
    sum = out.DeQue<half>();
    DataCopy(gy, sum, N);
    out.FreeTensor(sum);
}
