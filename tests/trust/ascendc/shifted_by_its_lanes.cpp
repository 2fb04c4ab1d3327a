// A block is copied on from block to block: the mask has as many lanes as the operands lie apart.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BLOCK = 8;

extern "C" __global__ __aicore__ void sequence(GM_ADDR out)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 64 * sizeof(int32_t));
    LocalTensor<int32_t> index = buf.Get<int32_t>();
    CreateVecIndex(index, static_cast<int32_t>(0), BLOCK);
    UnaryRepeatParams near(1, 1, 1, 1);
    SetVectorMask<int32_t>(0, (static_cast<uint64_t>(1) << BLOCK) - 1);
    PipeBarrier<PIPE_V>();
    for (int32_t i = 0; i < 7; i++) {
        Adds<int32_t, false>(index[(i + 1) * BLOCK], index[i * BLOCK], BLOCK, MASK_PLACEHOLDER, 1, near);
        PipeBarrier<PIPE_V>();
    }
    ResetMask();
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer((__gm__ int32_t *)out, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, index, 64);
}

// Without the mask, each lane may read what another one has written.
extern "C" __global__ __aicore__ void all_lanes(GM_ADDR out)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 72 * sizeof(int32_t));
    LocalTensor<int32_t> index = buf.Get<int32_t>();
    Duplicate(index, 0, 72);
    UnaryRepeatParams near(1, 1, 1, 1);
    SetMaskNorm();
    ResetMask();
    PipeBarrier<PIPE_V>();
    Adds<int32_t, false>(index[BLOCK], index, BLOCK, MASK_PLACEHOLDER, 1, near);  //~ ERROR partial-overlap: in other lanes
    GlobalTensor<int32_t> to;
    to.SetGlobalBuffer((__gm__ int32_t *)out, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, index, 64);
}
