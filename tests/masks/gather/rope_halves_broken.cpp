// repeatTimes through eight bits, and a count where Normal mode wants 0.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void split(LocalTensor<half> &even, LocalTensor<half> &odd, LocalTensor<half> &row) {
    constexpr uint32_t total = 8192;
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = static_cast<uint8_t>(total / 32);
    GatherMask(even, row, 1, false, 128, params, kept);
    //~^ ERROR gather-mask-arguments: `GatherMask` ignores the mask 128 in Normal mode: each
    //~^^ ERROR scalar-overflow: is 256, wraps to 0
    GatherMask(odd, row, 9, false, 0, params, kept);
    //~^ ERROR gather-mask-arguments: the fixed patterns of `GatherMask` are 1 to 7,
}

// a2lint: launch(block_dim=1, y=half[64])
extern "C" __global__ __aicore__ void rope_halves_broken(GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf;
    pipe.InitBuffer(rowBuf, 16384);
    LocalTensor<half> row = rowBuf.Get<half>();
    TBuf<TPosition::VECCALC> evenBuf;
    pipe.InitBuffer(evenBuf, 8192);
    LocalTensor<half> even = evenBuf.Get<half>();
    TBuf<TPosition::VECCALC> oddBuf;
    pipe.InitBuffer(oddBuf, 8192);
    LocalTensor<half> odd = oddBuf.Get<half>();
    Duplicate(row, static_cast<half>(1.0), 8192);
    PipeBarrier<PIPE_ALL>();
    split(even, odd, row);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<half> gy;
    gy.SetGlobalBuffer((__gm__ half*)y);
    DataCopy(gy, even, 64);  //~ ERROR uninitialized-read: DataCopy() reads `even` [64] (its `src`), and nothing has
}
//~ PARTLY: there is no pattern 9 of `GatherMask`
