// A row of 238 bytes ends in the middle of a float.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void odd_rows(GM_ADDR x, GM_ADDR y) //~ VERDICT odd_rows.initialised: undecided
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 2048);
    to.SetGlobalBuffer((__gm__ float *)y, 2048);
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    pipe.InitBuffer(memory, 8192);
    LocalTensor<float> rows = memory.Get<float>();
    DataCopyPad(rows, from, DataCopyExtParams{32, 238, 0, 0, 0}, DataCopyPadExtParams<float>{true, 0, 4, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, rows, 2048);
}

// The gap after a single row is ignored.
// a2lint: launch(block_dim=1, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void one_row(GM_ADDR x, GM_ADDR y) //~ VERDICT one_row.initialised: proved-if x is at least [2048 * GetBlockNum()]
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 2048, 2048);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 2048, 2048);
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    pipe.InitBuffer(memory, 8192);
    LocalTensor<float> rows = memory.Get<float>();
    DataCopyPad(rows, from, DataCopyExtParams{1, 8192, 3, 0, 0}, DataCopyPadExtParams<float>{false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, rows, 2048);
}
