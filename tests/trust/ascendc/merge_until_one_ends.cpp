// A merge that ends with the last record of a queue: how much it writes, the records decide.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t ROOM>
__aicore__ inline void Merge(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 256);
    to.SetGlobalBuffer((__gm__ float *)y, 256);
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out;
    pipe.InitBuffer(in, 1024);
    pipe.InitBuffer(out, ROOM);
    LocalTensor<float> queues = in.Get<float>();
    LocalTensor<float> merged = out.Get<float>();
    DataCopy(queues, from, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    uint16_t lengths[4] = {64, 64, 0, 0};
    uint32_t taken[4];
    MrgSortSrcList lists = MrgSortSrcList(queues, queues[128], queues, queues);
    MrgSort<float, true>(merged, lists, lengths, taken, 0b0011, 1); //~ ERROR operand-overrun: outside the tensor of `merged`
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(to, merged, DataCopyParams(1, (taken[0] + taken[1]) * 8, 0, 0));
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void fits(GM_ADDR x, GM_ADDR y) { Merge<1024>(x, y); }

// The queues have 1024 bytes together.
// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void may_be_too_much(GM_ADDR x, GM_ADDR y) { Merge<512>(x, y); }
//~ VERDICT fits.capacity: proved
