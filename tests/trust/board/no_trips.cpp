// A launch without an iteration: the flag that was set ahead of the loop stays set.
#include "kernel_operator.h"
using namespace AscendC;

template <bool GUARDED>
__aicore__ inline void Scale(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 4096);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, xGm, 1024);
    if (!GUARDED || n > 0) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);  //~ ERROR event-unbalanced: is still set when the kernel ends
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (i == 0) {
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        }
        Muls(tile, tile, 2.0f, 1024);
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], n=0)
extern "C" __global__ __aicore__ void set_ahead(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Scale<false>(x, y, n);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], n=0)
extern "C" __global__ __aicore__ void guarded(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Scale<true>(x, y, n);
}
