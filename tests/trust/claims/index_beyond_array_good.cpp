// Indices that stay inside of their arrays: by the length of a loop, by a remainder, by a condition.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t SIZES[2] = {1024, 512};

// a2lint: launch(block_dim=2, x=float[12288], y=float[12288], tiles=6)
extern "C" __global__ __aicore__ void inside_of_table(GM_ADDR x, GM_ADDR y, uint32_t tiles) //~ VERDICT inside_of_table.scalars: proved-if tiles <=
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * tiles * 1024, tiles * 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * tiles * 1024, tiles * 1024);
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    pipe.InitBuffer(memory, 8192);
    LocalTensor<float> slots = memory.Get<float>();
    const uint32_t starts[2] = {0, 1024};
    for (uint32_t tile = 0; tile < tiles; tile++) {
        LocalTensor<float> row = slots[starts[tile % 2]];
        const uint32_t size = tile < 2 ? SIZES[tile] : 1024;
        DataCopy(row, from[tile * 1024], size);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[tile * 1024], row, size);
        PipeBarrier<PIPE_ALL>();
    }
    for (uint32_t i = 0; i < 2; i++) {
        DataCopy(slots[starts[i]], from[i * 1024], SIZES[1]);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[i * 1024 + 512], slots[starts[i]], SIZES[1]);
        PipeBarrier<PIPE_ALL>();
    }
}

// The arm that indexes is not taken with `wanted` 5.
// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], wanted=5)
extern "C" __global__ __aicore__ void clamped(GM_ADDR x, GM_ADDR y, uint32_t wanted)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 1024);
    to.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    pipe.InitBuffer(memory, 4096);
    LocalTensor<float> row = memory.Get<float>();
    const uint32_t size = wanted < 2 ? SIZES[wanted] : SIZES[0];
    DataCopy(row, from, size);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, row, size);
}
