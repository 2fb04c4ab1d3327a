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

// A flag of its own beside a queue with all ids.
template <int BUFFERS>
__aicore__ inline void Fetched(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 0> in;
    pipe.InitBuffer(in, BUFFERS, WIDTH * sizeof(float));
    TBuf<> memory;
    pipe.InitBuffer(memory, WIDTH * sizeof(float));
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * WIDTH, WIDTH);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * WIDTH, WIDTH);
    LocalTensor<float> a, b = memory.Get<float>();
    in.AllocTensor<float>(a);
    DataCopy(a, from, WIDTH);
    in.EnQue(a);
    in.DeQue<float>(a);
    Adds(b, a, 1.0f, WIDTH);
    in.FreeTensor(a);
    event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
    SetFlag<HardEvent::V_MTE2>(id); //~ ERROR event-budget: flag 8 from V to MTE2
    WaitFlag<HardEvent::V_MTE2>(id); //~ ERROR event-budget: flag 8 from V to MTE2
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, b, WIDTH);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void none_left(GM_ADDR x, GM_ADDR y)
{
    Fetched<8>(x, y);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void one_left(GM_ADDR x, GM_ADDR y) //~ VERDICT one_left.progress: proved
{
    Fetched<7>(x, y);
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
