// A flag that is still set when the kernel ends meets the next kernel.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 1024;

// a2lint: launch(block_dim=1, x=float[4096], y=float[4096], tiles=4)
extern "C" __global__ __aicore__ void tile_loop(GM_ADDR x, GM_ADDR y, int32_t tiles)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, N * sizeof(float));
    auto t = buf.Get<float>();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, tiles * N);
    gy.SetGlobalBuffer((__gm__ float*)y, tiles * N);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID2);
    for (int32_t i = 0; i < tiles; i++) {
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID2);
        DataCopy(t, gx[i * N], N);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Abs(t, t, N);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gy[i * N], t, N);
//+        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID2);  //~ progress
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID2);//-
    }
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID2);//-
}
