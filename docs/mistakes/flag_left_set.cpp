#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 64 * sizeof(float));
    auto t = buf.Get<float>();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 256);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 256);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    for (int32_t i = 0; i < 4; i++) {
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        DataCopy(t, gx[i * 64], 64);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Add(t, t, t, 64);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gy[i * 64], t, 64);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
}
