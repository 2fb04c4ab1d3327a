// Rows that move inside of one buffer by calls whose lengths a launch gives: whether source and destination share
// memory is asked of every length, and of what a launch does.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t MOST = 1024;

template <int MODE>
class Mover {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, uint32_t n)
    {
        from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 2 * MOST, 2 * MOST);
        to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * MOST, MOST);
        pipe.InitBuffer(memory, 2 * MOST * sizeof(float));
        pipe.InitBuffer(result, MOST * sizeof(float));
        LocalTensor<float> t = memory.Get<float>();
        LocalTensor<float> r = result.Get<float>();
        DataCopy(t, from, 2 * MOST);
        PipeBarrier<PIPE_ALL>();
        Work(t, n);
        PipeBarrier<PIPE_V>();
        Adds(r, t, 0.0f, MOST);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, r, MOST);
        PipeBarrier<PIPE_ALL>();
    }

private:
    __aicore__ inline void Work(LocalTensor<float> t, uint32_t n)
    {
        if constexpr (MODE == 0) {
            Adds(t, t[8], 1.0f, n); //~ ERROR partial-overlap: Adds() writes
        } else if constexpr (MODE == 1) {
            Adds(t[8], t, 1.0f, n); //~ ERROR partial-overlap: Adds() writes
        } else if constexpr (MODE == 2) {
            // Widened where it lies: the second repeat reads what the first one has written.
            Cast(t, t.ReinterpretCast<half>(), RoundMode::CAST_NONE, n); //~ ERROR partial-overlap: Cast() writes
        } else if constexpr (MODE == 3) {
            Brcb(t, t, n / 64, BrcbRepeatParams{1, 8}); //~ ERROR partial-overlap: cannot work in place
        } else if constexpr (MODE == 4) {
            Muls(t[8], t, 2.0f, 64, n / 64, UnaryRepeatParams{1, 1, 8, 8}); //~ ERROR partial-overlap: Muls() writes
        } else if constexpr (MODE == 10) {
            Adds(t, t, 1.0f, n);
        } else if constexpr (MODE == 11) {
            // The other half of the buffer.
            Adds(t[MOST], t, 1.0f, n);
        } else if constexpr (MODE == 12) {
            // Each repeat writes what an earlier one has read.
            Adds(t, t[64], 1.0f, n);
        } else if constexpr (MODE == 13) {
            // Narrowed where it lies.
            Cast(t.ReinterpretCast<half>(), t, RoundMode::CAST_RINT, n);
        } else if constexpr (MODE == 14) {
            Mul(t, t, t, 64, n / 64, BinaryRepeatParams{1, 1, 1, 8, 8, 8});
        } else if constexpr (MODE == 15) {
            WholeReduceSum(t, t, 64, n / 64, 1, 1, 8);
        }
    }

    TPipe pipe;
    TBuf<TPosition::VECCALC> memory, result;
    GlobalTensor<float> from, to;
};

// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void to_the_left(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Mover<0> op;
    op.Process(x, y, n);
}

// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void to_the_right(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Mover<1> op;
    op.Process(x, y, n);
}

// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void widened(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Mover<2> op;
    op.Process(x, y, n);
}

// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void spread(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Mover<3> op;
    op.Process(x, y, n);
}

// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void in_repeats(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Mover<4> op;
    op.Process(x, y, n);
}

// The launch is too short to meet, so the property stays open.
// a2lint: assume(8 <= n, n <= 1016, n % 8 == 0)
// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=8)
extern "C" __global__ __aicore__ void too_short(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT too_short.operands: proved-if n <= 8
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    pipe.InitBuffer(memory, 8192);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 2 * MOST, 2 * MOST);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * MOST, MOST);
    LocalTensor<float> t = memory.Get<float>();
    DataCopy(t, from, 2 * MOST);
    PipeBarrier<PIPE_ALL>();
    Adds(t[8], t, 1.0f, n);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, t, MOST);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: assume(64 <= n, n <= 1016, n % 8 == 0)
// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void in_place(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT in_place.operands: proved
{
    Mover<10> op;
    op.Process(x, y, n);
}

// a2lint: assume(64 <= n, n <= 1016, n % 8 == 0)
// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void two_halves(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT two_halves.operands: proved
{
    Mover<11> op;
    op.Process(x, y, n);
}

// a2lint: assume(64 <= n, n <= 1016, n % 8 == 0)
// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void one_repeat_ahead(GM_ADDR x, GM_ADDR y, uint32_t n)
{ //~ VERDICT one_repeat_ahead.operands: proved
    Mover<12> op;
    op.Process(x, y, n);
}

// a2lint: assume(64 <= n, n <= 1016, n % 8 == 0)
// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void narrowed(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT narrowed.operands: proved
{
    Mover<13> op;
    op.Process(x, y, n);
}

// a2lint: assume(64 <= n, n <= 1016, n % 8 == 0)
// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void squared(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT squared.operands: proved
{
    Mover<14> op;
    op.Process(x, y, n);
}

// a2lint: assume(64 <= n, n <= 1016, n % 8 == 0)
// a2lint: launch(block_dim=2, x=float[4096], y=float[2048], n=1016)
extern "C" __global__ __aicore__ void reduced(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT reduced.operands: proved
{
    Mover<15> op;
    op.Process(x, y, n);
}
