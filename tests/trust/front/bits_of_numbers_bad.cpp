// The first two bytes of 0x20080 are 128: with those, the copy leaves the tensor.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void too_long(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    int32_t number = 0x20080;
    const int32_t length = *(uint16_t *)&number;
    pipe.InitBuffer(buf, length * sizeof(float));
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, length);  //~ ERROR gm-out-of-bounds
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 64);
}
