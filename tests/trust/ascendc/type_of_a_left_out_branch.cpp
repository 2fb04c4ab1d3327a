// A kernel type in a branch that the preprocessor leaves out is not the type of this kernel: its flags are no mistake.
#include "kernel_operator.h"
using namespace AscendC;

#define FOR_ALL(type) KERNEL_TASK_TYPE_DEFAULT(type)

__aicore__ inline void CopyAndMeet(GM_ADDR x, GM_ADDR y)
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
extern "C" __global__ __aicore__ void of_another_product(GM_ADDR x, GM_ADDR y)
{
#if __CCE_AICORE__ == 310
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
#else
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
#endif
    CopyAndMeet(x, y);
}

// a2lint: launch(block_dim=8, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void not_said(GM_ADDR x, GM_ADDR y)
{
#ifdef OLD_TOOLCHAIN
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
#endif
    CopyAndMeet(x, y);
}

// a2lint: launch(block_dim=8, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void by_a_macro(GM_ADDR x, GM_ADDR y)
{
#ifndef OLD_TOOLCHAIN
    FOR_ALL(KERNEL_TYPE_AIV_ONLY);
#endif
    CopyAndMeet(x, y);
}
