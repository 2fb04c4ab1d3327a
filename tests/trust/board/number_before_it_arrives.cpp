// The build turns the compiler's synchronisation off: GetValue needs MTE2_S, and V needs its own barriers.
// a2lint: auto-sync off
#include "kernel_operator.h"
using namespace AscendC;

template <bool WAITS>
__aicore__ inline void Gain(GM_ADDR x, GM_ADDR g, GM_ADDR y)
{
    GlobalTensor<float> xGm, gGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    gGm.SetGlobalBuffer((__gm__ float *)g, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> tileBuf, gainBuf;
    pipe.InitBuffer(tileBuf, 4096);
    pipe.InitBuffer(gainBuf, 256);
    LocalTensor<float> tile = tileBuf.Get<float>();
    LocalTensor<float> gains = gainBuf.Get<float>();
    DataCopy(gains, gGm, 64);
    if constexpr (WAITS) {
        SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    }
    const float gain = gains.GetValue(0);  //~ WARNING scalar-hazard: nothing orders MTE2→S
    DataCopy(tile, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(tile, tile, gain, 1024);
    if constexpr (WAITS) {
        PipeBarrier<PIPE_V>();
    }
    Adds(tile, tile, 1.0f, 1024);  //~ ERROR race: no `PipeBarrier<PIPE_V>()` orders them
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], g=float[64], y=float[1024])
extern "C" __global__ __aicore__ void at_once(GM_ADDR x, GM_ADDR g, GM_ADDR y)
{
    Gain<false>(x, g, y);
}

// a2lint: launch(block_dim=1, x=float[1024], g=float[64], y=float[1024])
extern "C" __global__ __aicore__ void after_a_flag(GM_ADDR x, GM_ADDR g, GM_ADDR y)
{
    Gain<true>(x, g, y);
}
