// The kernel ends while its store is on its way, after a branch that only some launches take.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64], twice=1)
extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y, uint32_t twice)
{
    InitSocState();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> row(TPosition::VECIN, 0, 64);
    DataCopy(row, from, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if (twice != 0) {
        Adds(row, row, 1.0f, 64);
        PipeBarrier<PIPE_V>();
    }
    Muls(row, row, 2.0f, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, row, 64);  //~ WARNING unfinished-work: DataCopy() may still work when the kernel ends
}
