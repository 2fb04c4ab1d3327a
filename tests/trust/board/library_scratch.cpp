// A function of the library takes what is left of UB, and the planned buffers leave nothing.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t REST>
__aicore__ inline void Work(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> inBuf, outBuf, restBuf;
    pipe.InitBuffer(inBuf, 4096);
    pipe.InitBuffer(outBuf, 4096);
    pipe.InitBuffer(restBuf, REST);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    LocalTensor<float> rest = restBuf.Get<float>();
    DataCopy(in, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(rest, 1.0f, REST / 4);
    Tanh(out, in, 1024);  //~ ERROR ub-overflow: the buffers up to `the rest of UB`
    Add(out, out, rest, 1024);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void nothing_left(GM_ADDR x, GM_ADDR y) { Work<188416>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void room(GM_ADDR x, GM_ADDR y) { Work<65536>(x, y); }
