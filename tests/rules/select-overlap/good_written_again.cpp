// The buffer at 184 KB is written anew before it is read again: what Select leaves there does not matter.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void Choose(const GlobalTensor<float> &y, const GlobalTensor<float> &x, const LocalTensor<float> &a,
                              const LocalTensor<float> &doubled, const LocalTensor<uint8_t> &keep)
{
    DataCopy(a, x, 512);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(doubled, a, 2.0f, 512);
    CompareScalar(keep, doubled, 1.0f, CMPMODE::GE, 512);
    Select(a, keep, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 512);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(y, a, 512);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void chosen(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 1024);
    gy.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> most, bits, floats;
    pipe.InitBuffer(most, 187392);
    pipe.InitBuffer(bits, 256);
    pipe.InitBuffer(floats, 2048);
    LocalTensor<float> a = most.Get<float>(512);
    LocalTensor<float> doubled = floats.Get<float>();
    LocalTensor<uint8_t> keep = bits.Get<uint8_t>();
    Choose(gy, gx, a, doubled, keep);
    Choose(gy[512], gx[512], a, doubled, keep);
}
