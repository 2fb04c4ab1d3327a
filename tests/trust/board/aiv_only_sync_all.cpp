// SyncAll and flags between cores in a kernel of type AIV_ONLY: the scheduler that counts them is off.
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
    SyncAll();  //~ ERROR vec-mode-collective: SyncAll() in a kernel of a type without flags between cores
}

// a2lint: launch(block_dim=8, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void vec_only(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    CopyAndWait(x, y);
}

// a2lint: launch(block_dim=8, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void mixed(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    CopyAndWait(x, y);
}

// a2lint: launch(block_dim=8, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void type_not_said(GM_ADDR x, GM_ADDR y)
{
    CopyAndWait(x, y);
}
