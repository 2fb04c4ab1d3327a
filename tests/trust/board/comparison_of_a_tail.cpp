// A comparison of 1000 floats computes 960 bits: what is no whole 256 bytes is left out without a word.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t COMPARED>
__aicore__ inline void Positive(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> inBuf, outBuf, bitBuf;
    pipe.InitBuffer(inBuf, 4096);
    pipe.InitBuffer(outBuf, 4096);
    pipe.InitBuffer(bitBuf, 256);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    DataCopy(in, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    CompareScalar(bits, in, 0.0f, CMPMODE::GT, COMPARED);
    Duplicate(out, 0.0f, 1024);
    Select(out, bits, in, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 1000);  //~ ERROR compare-tail: 40 of them come from no comparison
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void of_1000(GM_ADDR x, GM_ADDR y)
{
    Positive<1000>(x, y);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void of_1024(GM_ADDR x, GM_ADDR y)
{
    Positive<1024>(x, y);
}
