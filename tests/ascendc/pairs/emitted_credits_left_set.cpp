//+// Emitted: two credits are set ahead of the loop, and one of them is taken back after it.
// Emitted: both credits are taken back after the loop.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, in0=float[4096], out0=float[4096])
extern "C" __global__ __aicore__ void credits(__gm__ float* in0, __gm__ float* out0)
{
  InitSocState();
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer(in0, 4096);
  gout.SetGlobalBuffer(out0, 4096);
  LocalTensor<float> tile(TPosition::VECCALC, 0, 2048);
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
//+  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);  //~ progress
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);//-
  for (int32_t n = 0; n < 4; ++n) {
    wait_flag(PIPE_MTE3, PIPE_MTE2, n % 2);
    DataCopy(tile[n % 2 * 1024], gin[n * 1024], 1024);
    set_flag(PIPE_MTE2, PIPE_MTE3, n % 2);
    wait_flag(PIPE_MTE2, PIPE_MTE3, n % 2);
    DataCopy(gout[n * 1024], tile[n % 2 * 1024], 1024);
    set_flag(PIPE_MTE3, PIPE_MTE2, n % 2);
  }
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID1);//-
  pipe_barrier(PIPE_ALL);
}
