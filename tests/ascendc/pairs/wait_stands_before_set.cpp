// The scalar unit waits for a flag that is set further down: it never gets there.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[256], y=half[256])
extern "C" __global__ __aicore__ void shift_by_last(GM_ADDR x, GM_ADDR y)
{
    InitSocState();
    LocalTensor<half> t(TPosition::VECIN, 4096, 256);
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, 256);
    gy.SetGlobalBuffer((__gm__ half*)y, 256);
    DataCopy(t, gx, 256);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    Sqrt(t, t, 256);
//+    wait_flag(PIPE_V, PIPE_S, EVENT_ID0);  //~ progress
    set_flag(PIPE_V, PIPE_S, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_S, EVENT_ID0);//-
    const half last = t.GetValue(255);
    set_flag(PIPE_S, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_S, PIPE_V, EVENT_ID0);
    Adds(t, t, last, 256);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    DataCopy(gy, t, 256);
    pipe_barrier(PIPE_ALL);
}
