// A mask of more lanes than a repeat has is named by its numbers.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, y=int32[128], n=125)
extern "C" __global__ __aicore__ void fill(GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<int32_t> yGm;
    yGm.SetGlobalBuffer((__gm__ int32_t *)y);
    pipe.InitBuffer(buf, 512);
    LocalTensor<int32_t> all = buf.Get<int32_t>();
    Duplicate<int32_t>(all, -1, n, 1, 1, 8);  //~ ERROR repeat-range: illegal length: 1 repeat of 125 lanes
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 64);
}
