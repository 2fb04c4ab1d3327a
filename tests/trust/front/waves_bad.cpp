// A sine waits for nobody: its source may still be loading, and its result is stored while it is computed.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void at_once(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> inBuf, outBuf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 128);
    yGm.SetGlobalBuffer((__gm__ float *)y, 128);
    pipe.InitBuffer(inBuf, 512);
    pipe.InitBuffer(outBuf, 512);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    DataCopy(in, xGm, 128);
    Sin(out, in, 128);  //~ ERROR race
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 128);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void too_long(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> inBuf, outBuf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 128);
    yGm.SetGlobalBuffer((__gm__ float *)y, 128);
    pipe.InitBuffer(inBuf, 512);
    pipe.InitBuffer(outBuf, 256);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    DataCopy(in, xGm, 128);
    PipeBarrier<PIPE_ALL>();
    Cos(out, in, 128);  //~ ERROR operand-overrun
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, out, 64);
    DataCopy(yGm[64], out, 64);
}
