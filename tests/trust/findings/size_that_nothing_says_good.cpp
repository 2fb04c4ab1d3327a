// What a macro means is said nowhere, so the size of the buffer is not known.
#include "kernel_operator.h"
using namespace AscendC;

const uint32_t KIND = CASE_OF_THE_BUILD;
const uint32_t COUNT = KIND == 1 ? 256 : 128;

// a2lint: launch(block_dim=1, y=float[256])
extern "C" __global__ __aicore__ void ones(GM_ADDR y)
{
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)y, 256);
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    pipe.InitBuffer(memory, COUNT * sizeof(float));
    LocalTensor<float> row = memory.Get<float>();
    Duplicate(row, 1.0f, 256);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, row, 256);
}
