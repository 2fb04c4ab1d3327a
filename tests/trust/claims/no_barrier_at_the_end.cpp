// Tensors by address: no object waits for the pipes when the kernel ends.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t LEN = 1024;

template <bool WAITS>
__aicore__ inline void Twice(GM_ADDR x, GM_ADDR y)
{
    InitSocState();
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * LEN);
    yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * LEN);
    LocalTensor<half> a(TPosition::VECIN, 0, LEN);
    DataCopy(a, xGm, LEN);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(a, a, a, LEN);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, LEN); //~ WARNING unfinished-work: DataCopy() may still work when the kernel ends
    if constexpr (WAITS) {
        PipeBarrier<PIPE_ALL>();
    }
}

extern "C" __global__ __aicore__ void no_barrier(GM_ADDR x, GM_ADDR y)
{
    Twice<false>(x, y);
}

extern "C" __global__ __aicore__ void with_a_barrier(GM_ADDR x, GM_ADDR y)
{
    Twice<true>(x, y);
}

extern "C" __global__ __aicore__ void some_cores(GM_ADDR x, GM_ADDR y, uint32_t cores)
{
    if (GetBlockIdx() < cores) {
        Twice<true>(x, y);
    }
}

// The scalar unit waits for the store.
extern "C" __global__ __aicore__ void waits_by_a_flag(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * LEN);
    yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * LEN);
    LocalTensor<half> a(TPosition::VECIN, 0, LEN);
    DataCopy(a, xGm, LEN);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, a, LEN);
    SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
}

// The destructor of a pipe waits.
extern "C" __global__ __aicore__ void with_a_pipe(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * LEN);
    yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * LEN);
    LocalTensor<half> a(TPosition::VECIN, 0, LEN);
    DataCopy(a, xGm, LEN);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, LEN);
}
