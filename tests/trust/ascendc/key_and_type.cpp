// The host starts key 2 for half alone. That no source says so makes a fault of the pair a possible one.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void widen(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> a, b;
    GlobalTensor<DTYPE_X> gx, gy;
    gx.SetGlobalBuffer((__gm__ DTYPE_X*)x);
    gy.SetGlobalBuffer((__gm__ DTYPE_X*)y);
    if (TILING_KEY_IS(1)) {
        pipe.InitBuffer(a, 1024);
    } else if (TILING_KEY_IS(2)) {
        pipe.InitBuffer(a, 64 * 1024 * sizeof(DTYPE_X));
        //~^ WARNING ub-overflow: if a launch combines TILING_KEY=2 and DTYPE_X=float
    }
    LocalTensor<DTYPE_X> in = a.Get<DTYPE_X>();
    DataCopy(in, gx, 128);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gy, in, 128);
}
