// A template gives the buffers of the other instance no memory; one with memory that nothing uses is a waste.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> a, cast, work;
    pipe.InitBuffer(a, 1024);
    pipe.InitBuffer(cast, 0);
    pipe.InitBuffer(work, 512);  //~ WARNING unused-buffer: is never used
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> in = a.Get<float>();
    DataCopy(in, gx, 256);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gy, in, 256);
}
