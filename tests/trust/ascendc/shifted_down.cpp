// Each repeat may write what an earlier one has read, but not what a later one reads.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t TO, uint32_t FROM>
__aicore__ inline void Shift(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 4096);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<float> t = buf.Get<float>();
    DataCopy(t, gx, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(t[TO], t[FROM], 1.0f, 512);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, t, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void down_by_a_repeat(GM_ADDR x, GM_ADDR y)
{
    Shift<0, 64>(x, y);
}
