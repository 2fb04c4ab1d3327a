//+// Emitted: the last tile of the plan ends 64 bytes behind UB.
// Emitted: the last tile of the plan lies within UB.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x0=half[64], x1=half[64])
extern "C" __global__ __aicore__ void last_tile(__gm__ half* x0, __gm__ half* x1)
{
  InitSocState();
  GlobalTensor<half> h0, h1;
  h0.SetGlobalBuffer(x0, 64);
  h1.SetGlobalBuffer(x1, 64);
//+  LocalTensor<half> h2(TPosition::VECCALC, 196544, 64);  //~ operands
  LocalTensor<half> h2(TPosition::VECCALC, 196352, 64);//-
  DataCopy(h2, h0, 64);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  Abs(h2, h2, 64);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  DataCopy(h1, h2, 64);
  pipe_barrier(PIPE_ALL);
}
