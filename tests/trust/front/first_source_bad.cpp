// The two sources of an instruction are called as the manual calls them: `src0` and `src1`.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[128], y=half[128])
extern "C" __global__ __aicore__ void larger(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, 128);
    yGm.SetGlobalBuffer((__gm__ half *)y, 128);
    pipe.InitBuffer(buf, 3 * 256);
    LocalTensor<half> first = buf.Get<half>();
    LocalTensor<half> second = first[128];
    LocalTensor<half> out = first[256];
    DataCopy(second, xGm, 128);
    PipeBarrier<PIPE_ALL>();
    Max(out, first, second, 128);  //~ ERROR uninitialized-read: (its `src0`)
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, out, 128);
}
