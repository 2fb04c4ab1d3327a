// The flag goes from the store to the load; what is needed is from the store to the vector unit.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, y=float[4, 256], n=4)
extern "C" __global__ __aicore__ void ramp(GM_ADDR y, int32_t n)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256 * sizeof(float));
    auto t = buf.Get<float>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y, n * 256);
    for (int32_t i = 0; i < n; i++) {
//+        Duplicate(t, static_cast<float>(i), 256);  //~ order
        Duplicate(t, static_cast<float>(i), 256);//-
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gy[i * 256], t, 256);
//+        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
//+        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        SetFlag<HardEvent::MTE3_V>(EVENT_ID0);//-
        WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);//-
    }
}
