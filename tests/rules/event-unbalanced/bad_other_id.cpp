// The flag that is set is not the one that is awaited.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<> buf;
    pipe.InitBuffer(buf, 256 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 256);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 256);
    auto a = buf.Get<float>();
    DataCopy(a, gx, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);  //~ ERROR event-unbalanced: waits for flag 1 from MTE2 to V, which nothing in the kernel sets; line 16 sets flag 0
    Adds(a, a, 1.0f, 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, a, 256);
}
