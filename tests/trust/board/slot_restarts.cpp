// Two credits, and a slot index that restarts for each head: with three chunks, a slot is loaded while it is stored.
#include "kernel_operator.h"
using namespace AscendC;

template <bool RESTARTS>
__aicore__ inline void Scale(GM_ADDR x, GM_ADDR y, uint32_t heads, uint32_t chunks)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, heads * chunks * 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, heads * chunks * 1024);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 2 * 4096);
    uint32_t beat = 0;
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    for (uint32_t h = 0; h < heads; ++h) {
        for (uint32_t c = 0; c < chunks; ++c) {
            const uint32_t slot = RESTARTS ? c % 2 : beat % 2;
            LocalTensor<float> tile = space.GetWithOffset<float>(1024, slot * 4096);
            WaitFlag<HardEvent::MTE3_MTE2>(beat % 2);
            DataCopy(tile, xGm[(h * chunks + c) * 1024], 1024);  //~ ERROR race: nothing orders MTE3→MTE2
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
            Muls(tile, tile, 2.0f, 1024);
            SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
            DataCopy(yGm[(h * chunks + c) * 1024], tile, 1024);
            SetFlag<HardEvent::MTE3_MTE2>(beat % 2);
            ++beat;
        }
    }
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
}

// a2lint: launch(block_dim=1, x=float[9216], y=float[9216], heads=3, chunks=3)
extern "C" __global__ __aicore__ void restarts(GM_ADDR x, GM_ADDR y, uint32_t heads, uint32_t chunks)
{
    Scale<true>(x, y, heads, chunks);
}

// a2lint: launch(block_dim=1, x=float[9216], y=float[9216], heads=3, chunks=3)
extern "C" __global__ __aicore__ void goes_on(GM_ADDR x, GM_ADDR y, uint32_t heads, uint32_t chunks)
{
    Scale<false>(x, y, heads, chunks);
}
