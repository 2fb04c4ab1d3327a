// The buffers of queues of depth 0 have their event ids for good, also while no tensor is in flight.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t WIDTH = 64;

template <int BUFFERS>
__aicore__ inline void Rows(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 0> in;
    TQue<TPosition::VECIN, 1> once;
    TQue<TPosition::VECOUT, 0> out;
    pipe.InitBuffer(in, BUFFERS, WIDTH * sizeof(float));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(once, 1, WIDTH * sizeof(float));
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 4 * WIDTH, 4 * WIDTH);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 4 * WIDTH, 4 * WIDTH);
    LocalTensor<float> scale = once.AllocTensor<float>();
    DataCopy(scale, from, WIDTH);
    once.EnQue(scale); //~ ERROR event-budget: needs an event id from MTE2 to V
    scale = once.DeQue<float>();
    for (int row = 0; row < 4; ++row) {
        LocalTensor<float> a, b;
        in.AllocTensor<float>(a);
        DataCopy(a, from[row * WIDTH], WIDTH);
        in.EnQue(a);
        in.DeQue<float>(a);
        out.AllocTensor<float>(b);
        Mul(b, a, scale, WIDTH);
        in.FreeTensor(a);
        out.EnQue(b);
        out.DeQue<float>(b);
        DataCopy(to[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
    once.FreeTensor(scale); //~ ERROR event-budget: needs an event id from V to MTE2
}

// a2lint: launch(block_dim=2, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void one_too_many(GM_ADDR x, GM_ADDR y)
{
    Rows<8>(x, y);
}

// a2lint: launch(block_dim=2, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void all_of_them(GM_ADDR x, GM_ADDR y) //~ VERDICT all_of_them.progress: proved
{
    Rows<7>(x, y);
}
