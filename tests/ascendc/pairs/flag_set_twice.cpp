// A flag holds one bit: the second set before a wait is lost, and the second wait never ends.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[2, 512], y=float[2, 512])
extern "C" __global__ __aicore__ void two_loads(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 1024 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 1024);
    gy.SetGlobalBuffer((__gm__ float*)y, 1024);
    auto first = buf.Get<float>();
    auto second = first[512];
    DataCopy(first, gx, 512);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    DataCopy(second, gx[512], 512);
//+    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);  //~ progress
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1);//-
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(first, first, 1.0f, 512);
//+    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);//-
    Adds(second, second, 2.0f, 512);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, first, 1024);
}
