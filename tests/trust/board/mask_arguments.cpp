// Masks of calls: 128 lanes of float are cut to 64, Compare looks at no mask, and counter mode makes 64 a total.
#include "kernel_operator.h"
using namespace AscendC;

template <int FORM>
__aicore__ inline void Work(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> inBuf, outBuf, bitBuf;
    pipe.InitBuffer(inBuf, 4096);
    pipe.InitBuffer(outBuf, 4096);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    DataCopy(in, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(out, 0.0f, 1024);
    LocalTensor<uint8_t> bits;
    if constexpr (FORM == 1 || FORM == 4) {
        pipe.InitBuffer(bitBuf, 256);
        bits = bitBuf.Get<uint8_t>();
    }
    if constexpr (FORM == 0) {
        Muls(in, in, 2.0f, 128, 8, {1, 1, 16, 16});  //~ WARNING count-modes: is to use 128 lanes of each repeat, which has 64
    } else if constexpr (FORM == 1) {
        Compare(bits, in, out, CMPMODE::GT, 32, 16, {1, 1, 1, 8, 8, 8});  //~ WARNING mask-ignored: its mask of 32 is ignored
        Select(in, bits, in, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 1024);
    } else if constexpr (FORM == 2) {
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(0, 1024);
        Adds<float, false>(in, in, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        Muls(in, in, 2.0f, 64, 16, {1, 1, 8, 8});  //~ WARNING counter-mode: computes 64 elements, not 16 repeats of 64
        SetMaskNorm();
    } else if constexpr (FORM == 3) {
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(0, 1024);
        Adds<float, false>(in, in, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        SetMaskNorm();
        ResetMask();
        Muls(in, in, 2.0f, 64, 16, {1, 1, 8, 8});
    } else {
        Muls(in, in, 2.0f, 64, 16, {1, 1, 8, 8});
        Compare(bits, in, out, CMPMODE::GT, 64, 16, {1, 1, 1, 8, 8, 8});
        Select(in, bits, in, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 1024);
    }
    Add(in, in, out, 1024);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, in, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void too_many_lanes(GM_ADDR x, GM_ADDR y) { Work<0>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void masked_compare(GM_ADDR x, GM_ADDR y) { Work<1>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void counter_stays(GM_ADDR x, GM_ADDR y) { Work<2>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void counter_ends(GM_ADDR x, GM_ADDR y) { Work<3>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void whole_repeats(GM_ADDR x, GM_ADDR y) { Work<4>(x, y); }
