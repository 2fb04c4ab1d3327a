// FetchEventID does not take the id: two flags that are set at one time get the same one.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256], z=float[256])
extern "C" __global__ __aicore__ void two_flags(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf;
    pipe.InitBuffer(xBuf, 1024);
    pipe.InitBuffer(yBuf, 1024);
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float*)x, 256);
    gy.SetGlobalBuffer((__gm__ float*)y, 256);
    gz.SetGlobalBuffer((__gm__ float*)z, 256);
    LocalTensor<float> a = xBuf.Get<float>();
    LocalTensor<float> b = yBuf.Get<float>();
//+    const int32_t first = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));
    const int32_t first = static_cast<int32_t>(GetTPipePtr()->AllocEventID<HardEvent::MTE2_V>());//-
    const int32_t second = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));
    DataCopy(a, gx, 256);
    SetFlag<HardEvent::MTE2_V>(first);
    DataCopy(b, gy, 256);
//+    SetFlag<HardEvent::MTE2_V>(second);  //~ progress
    SetFlag<HardEvent::MTE2_V>(second);//-
    WaitFlag<HardEvent::MTE2_V>(first);
    Exp(a, a, 256);
    WaitFlag<HardEvent::MTE2_V>(second);
    Div(a, a, b, 256);
    GetTPipePtr()->ReleaseEventID<HardEvent::MTE2_V>(first);//-
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz, a, 256);
}
