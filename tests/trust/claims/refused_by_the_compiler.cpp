// A kernel that no compiler accepts is not clean: an assertion that does not hold, in a body and in a class template.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t length, uint32_t unit> struct Tile {
    static_assert(length % unit == 0, "whole units");
    static constexpr uint32_t elements = length;
};

template <uint32_t length, uint32_t unit> __aicore__ inline void Move(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<float> tile = buffer.Get<float>();
    DataCopy(tile, from, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, tile, Tile<length, unit>::elements);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void holds(GM_ADDR x, GM_ADDR y) //~ VERDICT holds.bounds: proved-if
{
    static_assert(sizeof(float) == 4, "");
    Move<64, 8>(x, y);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void in_the_body(GM_ADDR x, GM_ADDR y) //~ VERDICT in_the_body.bounds: undecided
{
    static_assert(sizeof(float) == 8, "");
    Move<64, 8>(x, y);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void in_a_class(GM_ADDR x, GM_ADDR y) //~ VERDICT in_a_class.bounds: undecided
{
    Move<64, 48>(x, y);
}
