// Two vector cores of a group exchange halves: the flag has to follow the store, and both have to set it.
#include "kernel_operator.h"
using namespace AscendC;

template <bool EARLY>
__aicore__ inline void Exchange(GM_ADDR x, GM_ADDR y, GM_ADDR ws)
{
    GlobalTensor<float> xGm, yGm, wsGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 2048);
    yGm.SetGlobalBuffer((__gm__ float *)y, 2048);
    wsGm.SetGlobalBuffer((__gm__ float *)ws, 2048);
    TPipe pipe;
    TBuf<> ownBuf, otherBuf;
    pipe.InitBuffer(ownBuf, 4096);
    pipe.InitBuffer(otherBuf, 4096);
    LocalTensor<float> own = ownBuf.Get<float>();
    LocalTensor<float> other = otherBuf.Get<float>();
    const int64_t lane = GetSubBlockIdx();
    DataCopy(own, xGm[lane * 1024], 1024);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    if constexpr (EARLY) {
        CrossCoreSetFlag<1, PIPE_MTE3>(3);
    }
    DataCopy(wsGm[lane * 1024], own, 1024);
    if constexpr (!EARLY) {
        CrossCoreSetFlag<1, PIPE_MTE3>(3);
    }
    CrossCoreWaitFlag(3);
    DataCopy(other, wsGm[(1 - lane) * 1024], 1024);  //~ ERROR race: nothing orders the two lanes
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
    DataCopy(yGm[lane * 1024], other, 1024);
}

// a2lint: launch(block_dim=1, x=float[2048], y=float[2048], ws=float[2048])
extern "C" __global__ __aicore__ void early(GM_ADDR x, GM_ADDR y, GM_ADDR ws)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIV {
        Exchange<true>(x, y, ws);
    }
}

// a2lint: launch(block_dim=1, x=float[2048], y=float[2048], ws=float[2048])
extern "C" __global__ __aicore__ void after_the_store(GM_ADDR x, GM_ADDR y, GM_ADDR ws)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIV {
        Exchange<false>(x, y, ws);
    }
}
