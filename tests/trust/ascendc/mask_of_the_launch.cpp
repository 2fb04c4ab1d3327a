// The launch gives the number of lanes that `SetVectorMask` leaves on: instructions without a mask of their own run
// under it.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    uint32_t lanes;
};

template <bool ALL>
__aicore__ inline void Shift(GM_ADDR x, GM_ADDR y, uint32_t lanes)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 128);
    to.SetGlobalBuffer((__gm__ float *)y, 128);
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out;
    pipe.InitBuffer(in, 512);
    pipe.InitBuffer(out, 512);
    LocalTensor<float> src = in.Get<float>();
    LocalTensor<float> dst = out.Get<float>();
    DataCopy(src, from, 128);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if constexpr (ALL) {
        Duplicate(dst, 0.0f, 128);
        PipeBarrier<PIPE_V>();
    }
    SetMaskNorm();
    SetVectorMask<float>(lanes);
    Adds<float, false>(dst, src, 1.0f, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});
    ResetMask();
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, dst, 128);  //~ ERROR uninitialized-read: stores undefined elements of `dst`
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128], tiling.lanes=48)
extern "C" __global__ __aicore__ void on_zeros(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Tiling, data, tiling);
    Shift<true>(x, y, data.lanes);
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128], tiling.lanes=48)
extern "C" __global__ __aicore__ void on_nothing(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Tiling, data, tiling);
    Shift<false>(x, y, data.lanes);
}
//~ VERDICT on_zeros.initialised: tested
//~ VERDICT on_zeros.operands: proved-if tiling.lanes >= 1
