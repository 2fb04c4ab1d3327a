// A flag is set after the first of two loads: sets and waits balance, and the second load may still be running.
#include "kernel_operator.h"
using namespace AscendC;

template <bool AFTER_BOTH>
__aicore__ inline void AddTiles(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    GlobalTensor<float> xGm, wGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    wGm.SetGlobalBuffer((__gm__ float *)w, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> leftBuf, rightBuf;
    pipe.InitBuffer(leftBuf, 4096);
    pipe.InitBuffer(rightBuf, 4096);
    LocalTensor<float> left = leftBuf.Get<float>();
    LocalTensor<float> right = rightBuf.Get<float>();
    DataCopy(left, xGm, 1024);
    if constexpr (!AFTER_BOTH) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    DataCopy(right, wGm, 1024);
    if constexpr (AFTER_BOTH) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(left, left, right, 1024);  //~ ERROR race: nothing orders MTE2→V
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, left, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], w=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void after_the_first(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    AddTiles<false>(x, w, y);
}

// a2lint: launch(block_dim=1, x=float[1024], w=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void after_both(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    AddTiles<true>(x, w, y);
}
