// A number is stored to UB and stored on by MTE3: no pipe waits for the scalar unit, and `order` must not be proved.
//~ VERDICT at_once.order: tested
//~ VERDICT after_a_flag.order: proved
// a2lint: auto-sync off
#include "kernel_operator.h"
using namespace AscendC;

template <bool WAITS>
__aicore__ inline void One(GM_ADDR y)
{
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float *)y, 8);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 32);
    LocalTensor<float> tile = space.Get<float>();
    for (int i = 0; i < 8; ++i) {
        tile.SetValue(i, 1.0f);
    }
    if constexpr (WAITS) {
        SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    }
    DataCopy(yGm, tile, 8);
}

// a2lint: launch(block_dim=1, y=float[8])
extern "C" __global__ __aicore__ void at_once(GM_ADDR y) { One<false>(y); }

// a2lint: launch(block_dim=1, y=float[8])
extern "C" __global__ __aicore__ void after_a_flag(GM_ADDR y) { One<true>(y); }
