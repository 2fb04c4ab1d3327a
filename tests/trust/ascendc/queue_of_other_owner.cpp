// Two queues between the same pipes take back each other's tensors: the flags are right, the simulator objects.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> first, second;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(first, 1, 256);
    pipe.InitBuffer(second, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 64);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 64);
    gz.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * 64);
    auto a = first.AllocTensor<float>();
    DataCopy(a, gx, 64);
    first.EnQue(a);
    auto b = second.AllocTensor<float>();
    DataCopy(b, gy, 64);
    second.EnQue(b);
    a = first.DeQue<float>();
    b = second.DeQue<float>();
    auto c = out.AllocTensor<float>();
    Add(c, a, b, 64);
    first.FreeTensor(b);   //~ WARNING event-unbalanced: `FreeTensor` gives queue `first` a tensor of `second`
    second.FreeTensor(a);  //~ WARNING event-unbalanced: `FreeTensor` gives queue `second` a tensor of `first`
    out.EnQue(c);
    c = out.DeQue<float>();
    DataCopy(gz, c, 64);
    out.FreeTensor(c);
}
