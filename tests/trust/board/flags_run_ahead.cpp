// Flags between cores: 20 sets with no way back pass the 15 that a counter holds, and a set by one of two is no set.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 4096);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, xGm, 1024);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void ahead(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        for (int i = 0; i < 20; ++i) {
            CrossCoreSetFlag<2, PIPE_FIX>(0);  //~ ERROR event-unbalanced: past the 15 that the hardware holds
        }
    }
    if ASCEND_IS_AIV {
        for (int i = 0; i < 20; ++i) {
            CrossCoreWaitFlag(0);
        }
        if (GetSubBlockIdx() == 0) {
            Copy(x, y);
        }
    }
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void there_and_back(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        for (int i = 0; i < 20; ++i) {
            CrossCoreSetFlag<2, PIPE_FIX>(0);
            CrossCoreWaitFlag(1);
        }
    }
    if ASCEND_IS_AIV {
        for (int i = 0; i < 20; ++i) {
            CrossCoreWaitFlag(0);
            CrossCoreSetFlag<2, PIPE_MTE3>(1);
        }
        if (GetSubBlockIdx() == 0) {
            Copy(x, y);
        }
    }
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void one_of_two(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        CrossCoreWaitFlag(0);
    }
    if ASCEND_IS_AIV {
        if (GetSubBlockIdx() == 0) {
            Copy(x, y);
            CrossCoreSetFlag<2, PIPE_MTE3>(0);  //~ ERROR one-lane-token: only vec0 reaches
        }
    }
}
