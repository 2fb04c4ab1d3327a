// The last of four lists begins in the buffer and ends outside of it; what the merge writes is raced for as a whole.
#include "kernel_operator.h"
using namespace AscendC;

template <int GAP, bool WAITS>
__aicore__ inline void Merge(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> lists, merged;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 512);
    yGm.SetGlobalBuffer((__gm__ float *)y, 256);
    pipe.InitBuffer(merged, 1024);
    pipe.InitBuffer(lists, 2048);
    LocalTensor<float> all = lists.Get<float>(), out = merged.Get<float>();
    DataCopy(all, xGm, 512);
    PipeBarrier<PIPE_ALL>();
    MrgSort4Info info;
    for (int at = 0; at < 4; ++at) {
        info.elementLengths[at] = 32;
    }
    info.ifExhaustedSuspension = false;
    info.validBit = 0b1111;
    info.repeatTimes = 1;
    MrgSortSrcList<float> from(all[0], all[GAP], all[2 * GAP], all[3 * GAP]);
    MrgSort<float>(out, from, info);  //~ ERROR operand-overrun
    if constexpr (WAITS) {
        PipeBarrier<PIPE_ALL>();
    }
    DataCopy(yGm, out[128], 128);  //~ ERROR race
}

// a2lint: launch(block_dim=1, x=float[512], y=float[128])
extern "C" __global__ __aicore__ void beyond_the_end(GM_ADDR x, GM_ADDR y) { Merge<152, true>(x, y); }

// a2lint: launch(block_dim=1, x=float[512], y=float[128])
extern "C" __global__ __aicore__ void stored_at_once(GM_ADDR x, GM_ADDR y) { Merge<128, false>(x, y); }
