// The builtin of the compiler tells the vec cores of a cube apart, as the function of the API does.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
__global__ __mix__(1, 2) void halves(__gm__ float *x, __gm__ float *y)
{
    if (::g_coreType != AscendC::AIV) {
        return;
    }
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer(x + get_subblockid() * 32, 32);
    yGm.SetGlobalBuffer(y + GetSubBlockIdx() * 32, 32);
    TPipe pipe;
    TBuf<> buf;
    pipe.InitBuffer(buf, 128);
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, 32);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 32);
    PipeBarrier<PIPE_ALL>();
}
