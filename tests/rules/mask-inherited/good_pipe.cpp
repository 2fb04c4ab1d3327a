// A TPipe resets the mask.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void with_a_pipe(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<> inBuf, outBuf;
    pipe.InitBuffer(inBuf, 4096);
    pipe.InitBuffer(outBuf, 4096);
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    DataCopy(in, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls<float, false>(out, in, 2.0f, MASK_PLACEHOLDER, 16, {1, 1, 8, 8});
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 1024);
}
