// The mask is set at the start, or the call has a count of its own.
#include "kernel_operator.h"
using namespace AscendC;

template <int MASK>
__aicore__ inline void Scale(GM_ADDR x, GM_ADDR y)
{
    if constexpr (MASK == 1) {
        InitSocState();
    }
    if constexpr (MASK == 2) {
        SetMaskNorm();
        SetVectorMask<float, MaskMode::NORMAL>(0, 0xffffffffffffffff);
    }
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    LocalTensor<float> in(TPosition::VECIN, 0, 1024);
    LocalTensor<float> out(TPosition::VECOUT, 4096, 1024);
    DataCopy(in, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if constexpr (MASK == 3) {
        Muls(out, in, 2.0f, 1024);
    } else {
        Muls<float, false>(out, in, 2.0f, MASK_PLACEHOLDER, 16, {1, 1, 8, 8});
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 1024);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void resets(GM_ADDR x, GM_ADDR y) { Scale<1>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void sets_both(GM_ADDR x, GM_ADDR y) { Scale<2>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void counts(GM_ADDR x, GM_ADDR y) { Scale<3>(x, y); }
