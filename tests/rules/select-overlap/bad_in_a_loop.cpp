// Weights that lie at 184 KB are read in each iteration before Select: from the second one on they are lost.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[1024], w=float[512], y=float[1024], n=2)
extern "C" __global__ __aicore__ void weighted(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t n)
{
    GlobalTensor<float> gx, gw, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n * 512);
    gw.SetGlobalBuffer((__gm__ float *)w, 512);
    gy.SetGlobalBuffer((__gm__ float *)y, n * 512);
    TPipe pipe;
    TBuf<> most, bits, weights;
    pipe.InitBuffer(most, 187392);
    pipe.InitBuffer(bits, 256);
    pipe.InitBuffer(weights, 2048);
    LocalTensor<float> a = most.Get<float>(512);
    LocalTensor<float> ws = weights.Get<float>();
    LocalTensor<uint8_t> keep = bits.Get<uint8_t>();
    DataCopy(ws, gw, 512);
    for (uint32_t i = 0; i < n; ++i) {
        DataCopy(a, gx[i * 512], 512);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Mul(a, a, ws, 512);
        CompareScalar(keep, a, 1.0f, CMPMODE::GE, 512);
        Select(a, keep, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 512);  //~ WARNING select-overlap: `weights` lies at
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gy[i * 512], a, 512);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
}
