//~ pedantic
// Select writes its work area at 184 KB of UB, and a buffer lies there: nothing in InitBuffer keeps it free.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t REST>
__aicore__ inline void Positive(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, REST / 4);
    TPipe pipe;
    TBuf<> inBuf, bitBuf, restBuf;
    pipe.InitBuffer(inBuf, 4096);
    pipe.InitBuffer(bitBuf, 256);
    pipe.InitBuffer(restBuf, REST);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> rest = restBuf.Get<float>();
    LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
    DataCopy(in, xGm, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(rest, 1.0f, REST / 4);
    CompareScalar(bits, in, 0.0f, CMPMODE::GT, 1024);
    Select(rest, bits, in, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 1024);  //~ WARNING select-reserve: the kernel leaves 0
    //~^ WARNING select-overlap: at 188416 of UB
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, rest, REST / 4);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[48064])
extern "C" __global__ __aicore__ void to_the_brim(GM_ADDR x, GM_ADDR y)
{
    Positive<192256>(x, y);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[46016])
extern "C" __global__ __aicore__ void with_room(GM_ADDR x, GM_ADDR y)
{
    Positive<184064>(x, y);
}
