// The flag is set in one arm of a branch, but every turn waits for it.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], tiles=4, first=2)
extern "C" __global__ __aicore__ void mix_sources(GM_ADDR x, GM_ADDR y, uint32_t tiles, uint32_t first)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256 * sizeof(float));
    auto t = buf.Get<float>();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, tiles * 256);
    gy.SetGlobalBuffer((__gm__ float*)y, tiles * 256);
    for (uint32_t i = 0; i < tiles; i++) {
        if (i >= first) {
            DataCopy(t, gx[i * 256], 256);
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);//-
        } else {
            Duplicate(t, 1.0f, 256);
        }
//+        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);  //~ progress
        Adds(t, t, 0.5f, 256);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gy[i * 256], t, 256);
        PipeBarrier<PIPE_ALL>();
    }
}
