// The cube waits for another flag than the vec lanes set: it waits for ever.
//~ VERDICT other_flag.progress: refuted
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 16, COLUMNS = 16, HALF = ROWS / 2 * COLUMNS;
constexpr uint16_t READY = 0, FREE = 1, DONE = 2;

class Cube {
public:
    __aicore__ inline Cube(TPipe *pipe, GM_ADDR slot)
    {
        slot_.SetGlobalBuffer((__gm__ half *)slot + GetBlockIdx() * ROWS * COLUMNS);
        pipe->InitBuffer(tile_, 1, ROWS * COLUMNS * sizeof(half));  //~ WARNING unused-buffer: never read
    }
    __aicore__ inline void Take()
    {
        LocalTensor<half> tile = tile_.AllocTensor<half>();
        DataCopy(tile, slot_, Nd2NzParams{1, ROWS, COLUMNS, 0, COLUMNS, ROWS, 1, 0});
        CrossCoreSetFlag<2, PIPE_MTE2>(FREE);
        tile_.EnQue(tile);
        tile = tile_.DeQue<half>();
        tile_.FreeTensor(tile);
    }

private:
    GlobalTensor<half> slot_;
    TQue<TPosition::A1, 1> tile_;
};

class Vec {
public:
    __aicore__ inline Vec(TPipe *pipe, GM_ADDR slot)
    {
        slot_.SetGlobalBuffer((__gm__ half *)slot + GetBlockIdx() / 2 * ROWS * COLUMNS);
        pipe->InitBuffer(tile_, 1, HALF * sizeof(half));
    }
    __aicore__ inline void Put(uint32_t at)
    {
        LocalTensor<half> tile = tile_.AllocTensor<half>();
        Duplicate(tile, static_cast<half>(1), HALF);
        tile_.EnQue(tile);
        tile = tile_.DeQue<half>();
        DataCopy(slot_[GetSubBlockIdx() * HALF], tile, HALF);
        CrossCoreSetFlag<2, PIPE_MTE3>(READY);  //~ ERROR event-unbalanced: waits for flag 0
        tile_.FreeTensor(tile);
    }

private:
    GlobalTensor<half> slot_;
    TQue<TPosition::VECOUT, 1> tile_;
};

// a2lint: launch(block_dim=2, slot=half[512], tiles=3)
extern "C" __global__ __aicore__ void other_flag(GM_ADDR slot, uint32_t tiles)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    if ASCEND_IS_AIC {
        Cube cube(&pipe, slot);
        for (uint32_t i = 0; i < tiles; i++) {
            CrossCoreWaitFlag(DONE);  //~ ERROR event-unbalanced: waits for ever: nothing in the kernel sets flag 2
            cube.Take();
        }
    }
    if ASCEND_IS_AIV {
        Vec vec(&pipe, slot);
        for (uint32_t i = 0; i < tiles; i++) {
            vec.Put(i);
            CrossCoreWaitFlag(FREE);
        }
    }
}
