// The kernel never asks which block it is, so that one block is all there is: what an invented launch of one block
// shows counts. Half of the tile is computed, all of it is stored.
#include "kernel_operator.h"
using namespace AscendC;

struct Shape {
    uint32_t count;
};

extern "C" __global__ __aicore__ void shift(GM_ADDR from, GM_ADDR to, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Shape, shape, tiling);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> loads;
    TQue<QuePosition::VECOUT, 1> stores;
    pipe.InitBuffer(loads, 1, shape.count * sizeof(float));
    pipe.InitBuffer(stores, 1, shape.count * sizeof(float));
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)from, shape.count);
    out.SetGlobalBuffer((__gm__ float*)to, shape.count);
    LocalTensor<float> a = loads.AllocTensor<float>();
    DataCopy(a, in, shape.count);
    loads.EnQue(a);
    a = loads.DeQue<float>();
    LocalTensor<float> b = stores.AllocTensor<float>();
    Adds(b, a, 2.0f, shape.count / 2);
    loads.FreeTensor(a);
    stores.EnQue(b);
    b = stores.DeQue<float>();
    DataCopy(out, b, shape.count);  //~ WARNING uninitialized-read: stores undefined elements of `b`
    stores.FreeTensor(b);
}
