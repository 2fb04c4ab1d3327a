// A template allocates a buffer that only some of its instances use: no remark. One that no instance uses is wasted.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void Twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> tileBuf, castBuf, spareBuf;
    pipe.InitBuffer(tileBuf, 64 * sizeof(T));
    pipe.InitBuffer(castBuf, 64 * sizeof(float));
    pipe.InitBuffer(spareBuf, 64 * sizeof(float));  //~ WARNING unused-buffer: `spareBuf`
    GlobalTensor<T> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ T *)x);
    yGm.SetGlobalBuffer((__gm__ T *)y);
    LocalTensor<T> tile = tileBuf.Get<T>();
    DataCopy(tile, xGm, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if constexpr (IsSameType<T, float>::value) {
        Muls(tile, tile, (T)2, 64);
    } else {
        LocalTensor<float> wide = castBuf.Get<float>();
        Cast(wide, tile, RoundMode::CAST_NONE, 64);
        Muls(wide, wide, 2.0f, 64);
        Cast(tile, wide, RoundMode::CAST_RINT, 64);
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 64);
}

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    if (TILING_KEY_IS(1)) {
        Twice<float>(x, y);
    } else if (TILING_KEY_IS(2)) {
        Twice<half>(x, y);
    }
}
