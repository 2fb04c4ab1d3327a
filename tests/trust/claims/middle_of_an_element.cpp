// Addresses in the middle of an element are followed nowhere; those at its start are.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t skipped> class Moved {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y)
    {
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
        to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
        TPipe pipe;
        TBuf<> memory;
        pipe.InitBuffer(memory, 8192);
        LocalTensor<float> row = memory.GetWithOffset<float>(1024, skipped);
        DataCopy(row, from, 1024);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, row, 1024);
    }
};

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void behind_flags(GM_ADDR x, GM_ADDR y) //~ VERDICT behind_flags.operands: undecided
{
    Moved<2050> op;
    op.Process(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void behind_blocks(GM_ADDR x, GM_ADDR y) //~ VERDICT behind_blocks.operands: proved
{
    Moved<2048> op;
    op.Process(x, y);
}

// The remainder is known although the address is not.
// a2lint: launch(block_dim=2, x=float[2049], y=float[2049])
extern "C" __global__ __aicore__ void odd_bytes(GM_ADDR x, GM_ADDR y) //~ VERDICT odd_bytes.bounds: undecided
{
    Moved<0> op;
    op.Process(x + 2, y + 2);
}
