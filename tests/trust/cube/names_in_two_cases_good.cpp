// A direct launch keeps the names of parameters: two that differ in case alone are two.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, a=float[128], A=float[128])
extern "C" __global__ __aicore__ void differ_in_case(GM_ADDR a, GM_ADDR A)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 64 * sizeof(float));
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)a + GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer((__gm__ float *)A + GetBlockIdx() * 64, 64);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, from, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, tile, 64);
    PipeBarrier<PIPE_ALL>();
}
