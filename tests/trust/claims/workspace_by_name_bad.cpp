// A workspace starts undefined, by its name as well as by `GetUserWorkspace`: only a part of it is stored here.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t PART = 4096;
constexpr int32_t STORED = PART - 8;

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
    DataCopy(to, row, PART); //~ ERROR unseeded-accumulation: undefined
}
