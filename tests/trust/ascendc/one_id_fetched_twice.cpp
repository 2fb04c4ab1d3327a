// Two sets without a wait lose one; the waits are as many as the sets, so that none of them is one too many.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256], z=float[256])
extern "C" __global__ __aicore__ void two_loads(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> a, b;
    pipe.InitBuffer(a, 1024);
    pipe.InitBuffer(b, 1024);
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    gz.SetGlobalBuffer((__gm__ float*)z);
    LocalTensor<float> p = a.Get<float>();
    LocalTensor<float> q = b.Get<float>();
    event_t first = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));
    DataCopy(p, gx, 256);
    SetFlag<HardEvent::MTE2_V>(first);
    event_t second = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));
    DataCopy(q, gy, 256);
    SetFlag<HardEvent::MTE2_V>(second);  //~ ERROR event-unbalanced: while it is still set
    WaitFlag<HardEvent::MTE2_V>(first);
    WaitFlag<HardEvent::MTE2_V>(second);
    Add(p, p, q, 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz, p, 256);
}
