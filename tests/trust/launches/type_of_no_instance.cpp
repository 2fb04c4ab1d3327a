// No instance has the type that the comment selects: the launch is not dropped without a word.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, DTYPE_X=int32_t, x=int32_t[1024], y=int32_t[1024])  //~ WARNING launch-unusable: no instance of the kernel has DTYPE_X = int32_t, only float, half
extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> q;
    pipe.InitBuffer(q, 1, 1024 * sizeof(DTYPE_X));
    GlobalTensor<DTYPE_X> gx, gy;
    gx.SetGlobalBuffer((__gm__ DTYPE_X*)x);
    gy.SetGlobalBuffer((__gm__ DTYPE_X*)y);
    auto a = q.AllocTensor<DTYPE_X>();
    DataCopy(a, gx, 1024);
    q.EnQue(a);
    a = q.DeQue<DTYPE_X>();
    DataCopy(gy, a, 1024);
    q.FreeTensor(a);
}
