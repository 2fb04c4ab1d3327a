// Brcb makes eight blocks of eight numbers in a repeat: 64 repeats are eight times the destination.
#include "kernel_operator.h"
using namespace AscendC;

template <uint8_t REPEATS>
__aicore__ inline void Spread(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 512);
    TPipe pipe;
    TBuf<> inBuf, outBuf;
    pipe.InitBuffer(inBuf, 256);
    pipe.InitBuffer(outBuf, 2048);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    DataCopy(in, xGm, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Brcb(out, in, REPEATS, {1, 8});  //~ ERROR operand-overrun: (repeat 64)
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 512);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[512])
extern "C" __global__ __aicore__ void as_many_as_numbers(GM_ADDR x, GM_ADDR y)
{
    Spread<64>(x, y);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[512])
extern "C" __global__ __aicore__ void as_many_as_blocks(GM_ADDR x, GM_ADDR y)
{
    Spread<8>(x, y);
}
