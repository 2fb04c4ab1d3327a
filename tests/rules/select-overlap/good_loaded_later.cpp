// What lies at 184 KB is loaded after the call.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], w=float[1024], y=float[512])
extern "C" __global__ __aicore__ void merge(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    GlobalTensor<float> gx, gw, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 512);
    gw.SetGlobalBuffer((__gm__ float *)w, 1024);
    gy.SetGlobalBuffer((__gm__ float *)y, 512);
    TPipe pipe;
    TBuf<> most, bits, weights;
    pipe.InitBuffer(most, 186368);
    pipe.InitBuffer(bits, 256);
    pipe.InitBuffer(weights, 4096);
    LocalTensor<float> a = most.Get<float>(512);
    LocalTensor<float> ws = weights.Get<float>();
    LocalTensor<uint8_t> keep = bits.Get<uint8_t>();
    DataCopy(a, gx, 512);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    CompareScalar(keep, a, 0.0f, CMPMODE::GE, 512);
    Select(a, keep, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 512);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    DataCopy(ws, gw, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
    Mul(a, a, ws, 512);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, a, 512);
}
