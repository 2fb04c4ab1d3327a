// There are eight ids of each event: the ninth one is none.
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr int32_t IDS = 9;
constexpr int32_t IDS = 8;//-
constexpr int32_t PART = 64;

// a2lint: launch(block_dim=1, x=float[576], y=float[576])
extern "C" __global__ __aicore__ void parts(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 9 * PART * sizeof(float));
    auto t = buf.Get<float>();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 9 * PART);
    gy.SetGlobalBuffer((__gm__ float*)y, 9 * PART);
    for (int32_t i = 0; i < IDS; i++) {
        const int32_t length = i + 1 == IDS ? (9 - i) * PART : PART;
        DataCopy(t[i * PART], gx[i * PART], length);
//+        SetFlag<HardEvent::MTE2_V>(static_cast<event_t>(i));  //~ progress
        SetFlag<HardEvent::MTE2_V>(static_cast<event_t>(i));//-
    }
    for (int32_t i = 0; i < IDS; i++) {
        const int32_t length = i + 1 == IDS ? (9 - i) * PART : PART;
        WaitFlag<HardEvent::MTE2_V>(static_cast<event_t>(i));
        Abs(t[i * PART], t[i * PART], length);
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, t, 9 * PART);
}
