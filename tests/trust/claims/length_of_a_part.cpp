// Parts of one memory that are made with a length: what a call writes behind it belongs to the next part.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LONG = 1024;
constexpr uint32_t SHORT = 512;

template <int MODE>
__aicore__ inline void Work(LocalTensor<float> a, LocalTensor<float> c, LocalTensor<float> d)
{
    if constexpr (MODE == 0) {
        Duplicate(d, 3.0f, SHORT);
        Adds(c, a, 1.0f, LONG); //~ ERROR operand-overrun: writes 2048 bytes past the length of
        Mul(c, c, d, SHORT);
    } else if constexpr (MODE == 1) {
        // Nothing of the next part is lost: it is written afterwards.
        Adds(c, a, 1.0f, LONG);
        Duplicate(d, 3.0f, SHORT);
        Mul(c, c, d, SHORT);
    } else {
        Duplicate(d, 3.0f, SHORT);
        Adds(c, a, 1.0f, SHORT);
        Mul(c, c, d, SHORT);
    }
}

template <int MODE>
__aicore__ inline void OfBuffer(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> all;
    pipe.InitBuffer(all, 3 * LONG * sizeof(float));
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * LONG, LONG);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * SHORT, SHORT);
    LocalTensor<float> a = all.GetWithOffset<float>(LONG, 0);
    LocalTensor<float> c = all.GetWithOffset<float>(SHORT, LONG * sizeof(float));
    LocalTensor<float> d = all.GetWithOffset<float>(SHORT, (LONG + SHORT) * sizeof(float));
    DataCopy(a, from, LONG);
    PipeBarrier<PIPE_ALL>();
    Work<MODE>(a, c, d);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, c, SHORT);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[1024])
extern "C" __global__ __aicore__ void over_the_next(GM_ADDR x, GM_ADDR y)
{
    OfBuffer<0>(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[1024])
extern "C" __global__ __aicore__ void before_the_next(GM_ADDR x, GM_ADDR y) //~ VERDICT before_the_next.operands: tested
{
    OfBuffer<1>(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[1024])
extern "C" __global__ __aicore__ void inside(GM_ADDR x, GM_ADDR y) //~ VERDICT inside.operands: proved
{
    OfBuffer<2>(x, y);
}

template <int MODE>
__aicore__ inline void Placed(GM_ADDR x, GM_ADDR y)
{
    InitSocState();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * LONG, LONG);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * SHORT, SHORT);
    LocalTensor<float> a(TPosition::VECIN, 0, LONG);
    LocalTensor<float> c(TPosition::VECOUT, 4096, SHORT);
    LocalTensor<float> d(TPosition::VECCALC, 6144, SHORT);
    DataCopy(a, from, LONG);
    PipeBarrier<PIPE_ALL>();
    Work<MODE>(a, c, d);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, c, SHORT);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[1024])
extern "C" __global__ __aicore__ void over_an_address(GM_ADDR x, GM_ADDR y)
{
    Placed<0>(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[1024])
extern "C" __global__ __aicore__ void at_addresses(GM_ADDR x, GM_ADDR y) //~ VERDICT at_addresses.operands: proved
{
    Placed<2>(x, y);
}
