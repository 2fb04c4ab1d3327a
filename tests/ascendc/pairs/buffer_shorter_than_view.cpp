// TBuf::Get with a count goes beyond the buffer into its neighbour.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void two_buffers(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> raw, scaled;
//+    pipe.InitBuffer(raw, 128 * sizeof(float));
    pipe.InitBuffer(raw, 256 * sizeof(float));//-
    pipe.InitBuffer(scaled, 256 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 256);
    gy.SetGlobalBuffer((__gm__ float*)y, 256);
    auto a = raw.Get<float>();
    auto b = scaled.Get<float>();
//+    DataCopy(a, gx, 256);  //~ operands
    DataCopy(a, gx, 256);//-
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(b, a, 2.0f, 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, b, 256);
}
