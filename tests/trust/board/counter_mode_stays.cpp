// Counter mode is left on: the call that means 16 repeats of 64 lanes computes 64 elements.
#include "kernel_operator.h"
using namespace AscendC;

template <bool RESTORES>
__aicore__ inline void AddAndScale(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> inBuf, outBuf;
    pipe.InitBuffer(inBuf, 4096);
    pipe.InitBuffer(outBuf, 4096);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    DataCopy(in, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 1024);
    Adds<float, false>(in, in, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    if constexpr (RESTORES) {
        SetMaskNorm();
        ResetMask();
    }
    Muls(out, in, 2.0f, 64, 16, {1, 1, 8, 8});  //~ ERROR counter-mode: computes 64 elements
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void stays(GM_ADDR x, GM_ADDR y)
{
    AddAndScale<false>(x, y);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void restored(GM_ADDR x, GM_ADDR y)
{
    AddAndScale<true>(x, y);
}
