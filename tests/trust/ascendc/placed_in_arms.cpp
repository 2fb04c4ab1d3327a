// Tensors that are placed by address lie in one memory, on whichever path the first of them is placed.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t UB_BYTES = 192 * 1024;

struct PlacedTiling {
    uint32_t mode;
    uint32_t cursor;
};

template <typename U>
__aicore__ inline LocalTensor<U> At(uint32_t address)
{
    return LocalTensor<U>(TPosition::VECCALC, address, (UB_BYTES - address) / sizeof(U));
}

__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y, uint32_t address)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> part = At<float>(address);
    DataCopy(part, xGm, 1024);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, part, 1024);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], tiling.mode=1, tiling.cursor=64)
extern "C" __global__ __aicore__ void placed_in_arms(GM_ADDR x, GM_ADDR y, PlacedTiling tiling)
{
    InitSocState();
    if (tiling.mode == 1) {
        Copy(x, y, tiling.cursor * 32);
    } else {
        Copy(x, y, tiling.cursor * 64);
    }
    if (tiling.mode == 2) {
        Copy(x, y, 0);
    }
}
