// Cores that meet by polling a workspace need no flags of the device: a kernel for vec cores alone may do so.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t CORES = 8;

// a2lint: launch(block_dim=8, x=float[512], y=float[512], counts_ref=int32[64])
extern "C" __global__ __aicore__ void meets_in_memory(GM_ADDR x, GM_ADDR y, GM_ADDR counts_ref)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    TPipe pipe;
    TBuf<> space, wait;
    pipe.InitBuffer(space, 64 * sizeof(float));
    pipe.InitBuffer(wait, CORES * 32);
    GlobalTensor<float> xGm, yGm;
    GlobalTensor<int32_t> counts;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    counts.SetGlobalBuffer((__gm__ int32_t *)counts_ref, CORES * 8);
    LocalTensor<float> tile = space.Get<float>();
    LocalTensor<int32_t> polled = wait.Get<int32_t>();
    DataCopy(tile, xGm, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    SyncAll(counts, polled);
    DataCopy(yGm, tile, 64);
    PipeBarrier<PIPE_ALL>();
}
