// The build names an output after its input and adds `_ref`: what the kernel reads of it is the input.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void AddOnto(GM_ADDR from, GM_ADDR onto)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> a, b;
    pipe.InitBuffer(a, 1024);
    pipe.InitBuffer(b, 1024);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)from);
    gy.SetGlobalBuffer((__gm__ float*)onto);
    LocalTensor<float> x = a.Get<float>();
    LocalTensor<float> y = b.Get<float>();
    DataCopy(x, gx, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(y, x, 2.0f, 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    SetAtomicAdd<float>();
    DataCopy(gy, y, 256);
    SetAtomicNone();
}

// a2lint: launch(block_dim=1, x=float[256], sum=float[256], sum_ref=float[256])
extern "C" __global__ __aicore__ void in_place(GM_ADDR x, GM_ADDR sum, GM_ADDR sum_ref)
{
    AddOnto(x, sum_ref);
}
