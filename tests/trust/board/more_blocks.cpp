// SyncAll in 80 blocks: a device has at most 48 vector cores, the rest start when those have ended.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void CopyAndWait(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 256);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, xGm, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 64);
    SyncAll();  //~ WARNING more-blocks: 80 blocks, and no device of the family has more than 48 vec cores
}

// a2lint: launch(block_dim=80, x=float[5120], y=float[5120])
extern "C" __global__ __aicore__ void rounds(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    CopyAndWait(x, y);
}

// a2lint: launch(block_dim=40, x=float[2560], y=float[2560])
extern "C" __global__ __aicore__ void one_round(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    CopyAndWait(x, y);
}
