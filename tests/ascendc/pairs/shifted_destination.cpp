// The destination overlaps the source in part: later repeats read what earlier ones have written.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void shift_scale(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 2 * 512 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 512);
    gy.SetGlobalBuffer((__gm__ float*)y, 512);
    LocalTensor<float> t = buf.Get<float>();
    DataCopy(t, gx, 512);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
//+    LocalTensor<float> r = t[64];
//+    Muls(r, t, 3.0f, 512);  //~ operands
    LocalTensor<float> r = t[512];//-
    Muls(r, t, 3.0f, 512);//-
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, r, 512);
}
