// A workspace starts undefined, by its name as well as by `GetUserWorkspace`: all of it is stored here before it is read.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t PART = 4096;
constexpr int32_t STORED = PART;

// a2lint: launch(block_dim=2, x=float[8192], y=float[8192], workspace=float[8192], tiling=uint8[32])
extern "C" __global__ __aicore__ void through_scratch(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GlobalTensor<float> from, to, scratch;
    const int32_t start = GetBlockIdx() * PART;
    from.SetGlobalBuffer((__gm__ float *)x + start, PART);
    to.SetGlobalBuffer((__gm__ float *)y + start, PART);
    scratch.SetGlobalBuffer((__gm__ float *)workspace + start, PART);
    TPipe pipe;
    TBuf<> memory;
    pipe.InitBuffer(memory, PART * sizeof(float));
    LocalTensor<float> row = memory.Get<float>();
    DataCopy(row, from, PART);
    PipeBarrier<PIPE_ALL>();
    DataCopy(scratch, row, STORED);
    PipeBarrier<PIPE_ALL>();
    DataCopy(row, scratch, PART);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, row, PART);
}

// Of a kernel that takes no tiling data, an earlier one may have filled the workspace; that it did is not proved.
// a2lint: launch(block_dim=2, y=float[8192], workspace=float[8192])
extern "C" __global__ __aicore__ void second_kernel(GM_ADDR y, GM_ADDR workspace) //~ VERDICT second_kernel.initialised: tested
{
    GlobalTensor<float> to, scratch;
    const int32_t start = GetBlockIdx() * PART;
    to.SetGlobalBuffer((__gm__ float *)y + start, PART);
    scratch.SetGlobalBuffer((__gm__ float *)workspace + start, PART);
    TPipe pipe;
    TBuf<> memory;
    pipe.InitBuffer(memory, PART * sizeof(float));
    LocalTensor<float> row = memory.Get<float>();
    DataCopy(row, scratch, PART);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, row, PART);
}
