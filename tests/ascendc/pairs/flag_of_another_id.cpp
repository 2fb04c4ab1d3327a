// The flag is set under one id and waited for under another.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void absolute(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 128);
    gy.SetGlobalBuffer((__gm__ float*)y, 128);
    auto t = buf.Get<float>();
    const auto loaded = pipe.AllocEventID<HardEvent::MTE2_V>();
//+    const auto ready = pipe.AllocEventID<HardEvent::MTE2_V>();
    const auto ready = pipe.AllocEventID<HardEvent::V_MTE3>();//-
    DataCopy(t, gx, 128);
    SetFlag<HardEvent::MTE2_V>(loaded);
//+    WaitFlag<HardEvent::MTE2_V>(ready);  //~ progress
    WaitFlag<HardEvent::MTE2_V>(loaded);//-
    Abs(t, t, 128);
    SetFlag<HardEvent::V_MTE3>(ready);
    WaitFlag<HardEvent::V_MTE3>(ready);
    DataCopy(gy, t, 128);
    pipe.ReleaseEventID<HardEvent::MTE2_V>(loaded);
//+    pipe.ReleaseEventID<HardEvent::MTE2_V>(ready);
    pipe.ReleaseEventID<HardEvent::V_MTE3>(ready);//-
}
