// Addresses by hand: the second tensor starts at the number of elements, not of bytes.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COUNT = 512;

// a2lint: launch(block_dim=1, x=half[512], y=half[512], z=half[512])
extern "C" __global__ __aicore__ void product(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    InitSocState();
    GlobalTensor<half> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ half*)x, COUNT);
    gy.SetGlobalBuffer((__gm__ half*)y, COUNT);
    gz.SetGlobalBuffer((__gm__ half*)z, COUNT);
    LocalTensor<half> a(TPosition::VECIN, 0, COUNT);
//+    LocalTensor<half> b(TPosition::VECIN, COUNT, COUNT);
    LocalTensor<half> b(TPosition::VECIN, COUNT * sizeof(half), COUNT);//-
    LocalTensor<half> c(TPosition::VECOUT, 2 * COUNT * sizeof(half), COUNT);
    DataCopy(a, gx, COUNT);
//+    DataCopy(b, gy, COUNT);  //~ order
    DataCopy(b, gy, COUNT);//-
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Mul(c, a, b, COUNT);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz, c, COUNT);
    PipeBarrier<PIPE_ALL>();
}
