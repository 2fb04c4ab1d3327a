// A fence on PIPE_FIX in a kernel for vec cores alone, as generated code has it.
#include "kernel_operator.h"
using namespace AscendC;

template <bool FIX>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 4096);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, xGm, 1024);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 1024);
    if constexpr (FIX) {
        PipeBarrier<PIPE_FIX>();  //~ ERROR foreign-barrier: waits for FIX, which vec cores do not have
    } else {
        PipeBarrier<PIPE_ALL>();
    }
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void fence(GM_ADDR x, GM_ADDR y)
{
    Copy<true>(x, y);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void all_pipes(GM_ADDR x, GM_ADDR y)
{
    Copy<false>(x, y);
}
