// A cast to a wider type over its own source reads what earlier repeats have written.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 512;

// a2lint: launch(block_dim=1, x=half[512], y=float[512])
extern "C" __global__ __aicore__ void widen(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, N * sizeof(float));
    GlobalTensor<half> gx;
    GlobalTensor<float> gy;
    gx.SetGlobalBuffer((__gm__ half*)x, N);
    gy.SetGlobalBuffer((__gm__ float*)y, N);
    LocalTensor<float> wide = buf.Get<float>();
//+    LocalTensor<half> narrow = wide.ReinterpretCast<half>();
    LocalTensor<half> narrow = wide.ReinterpretCast<half>()[N];//-
    DataCopy(narrow, gx, N);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
//+    Cast(wide, narrow, RoundMode::CAST_NONE, N);  //~ operands
    Cast(wide, narrow, RoundMode::CAST_NONE, N);//-
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, wide, N);
}
