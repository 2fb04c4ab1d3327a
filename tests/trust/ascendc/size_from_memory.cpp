// A size that the kernel reads from memory is not known before it runs: nothing is claimed of the buffer.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, n=int32[8], y=float[128])
extern "C" __global__ __aicore__ void fill(GM_ADDR n, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<int32_t> gn;
    GlobalTensor<float> gy;
    gn.SetGlobalBuffer((__gm__ int32_t*)n);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 64);
    int32_t count = gn.GetValue(0);
    pipe.InitBuffer(buf, count * sizeof(float));
    auto a = buf.Get<float>();
    Duplicate(a, 1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, a, 64);
}
//~ VERDICT fill.operands: undecided
