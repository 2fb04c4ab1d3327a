// The second queue is read before anything is put into it.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void taken_too_early(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> loads;
    TQue<TPosition::VECOUT, 1> stores;
    pipe.InitBuffer(loads, 1, 256);
    pipe.InitBuffer(stores, 1, 256);
    LocalTensor<float> a = loads.AllocTensor<float>();
    DataCopy(a, from, 64);
    loads.EnQue(a);
    a = loads.DeQue<float>();
    LocalTensor<float> b = stores.AllocTensor<float>();
    Adds(b, a, 1.0f, 64);
    loads.FreeTensor(a);
    LocalTensor<float> c = stores.DeQue<float>();  //~ ERROR event-unbalanced: and none is enqueued
    DataCopy(to, c, 64);
    stores.FreeTensor(c);
    stores.EnQue(b);
}
