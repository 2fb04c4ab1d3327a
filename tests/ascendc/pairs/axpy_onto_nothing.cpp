// Axpy adds to its destination, and nothing has been written there.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[192], y=float[192], a=2.5)
extern "C" __global__ __aicore__ void axpy(GM_ADDR x, GM_ADDR y, float a)
{
    InitSocState();
    constexpr uint32_t N = 192;
    LocalTensor<float> in(TPosition::VECIN, 0, N);
    LocalTensor<float> out(TPosition::VECOUT, N * sizeof(float), N);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, N);
    gy.SetGlobalBuffer((__gm__ float*)y, N);
    DataCopy(in, gx, N);
    Duplicate(out, 1.0f, N);//-
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
//+    Axpy(out, in, a, N);  //~ initialised
    Axpy(out, in, a, N);//-
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, out, N);
    PipeBarrier<PIPE_ALL>();
}
