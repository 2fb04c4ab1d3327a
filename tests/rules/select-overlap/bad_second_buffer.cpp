// Two buffers reach into the work area: the first is not used across the call, the second is.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void positive(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 256);
    yGm.SetGlobalBuffer((__gm__ float *)y, 256);
    TPipe pipe;
    TBuf<> inBuf, bitBuf, outBuf, restBuf, keptBuf;
    pipe.InitBuffer(inBuf, 1024);
    pipe.InitBuffer(bitBuf, 256);
    pipe.InitBuffer(outBuf, 1024);
    pipe.InitBuffer(restBuf, 188416 + 64 - 2304);
    pipe.InitBuffer(keptBuf, 1024);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    LocalTensor<float> rest = restBuf.Get<float>();
    LocalTensor<float> kept = keptBuf.Get<float>();
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    DataCopy(in, xGm, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(rest, in, 1.0f, 256);
    Muls(kept, rest, 2.0f, 256);
    CompareScalar(bits, in, 0.0f, CMPMODE::GT, 256);
    Select(out, bits, in, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 256);  //~ WARNING select-overlap: `keptBuf` lies at 188480
    Add(out, out, kept, 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 256);
}
