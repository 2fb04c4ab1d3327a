//+// Emitted: the flag is set in the region that loads, and awaited outside of it.
// Emitted: the flag is set on every path.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, a=float[512], b=float[512], has_bias=0)
extern "C" __global__ __aicore__ void with_bias(__gm__ float* a, __gm__ float* b, int32_t has_bias)
{
  InitSocState();
  GlobalTensor<float> g0, g1;
  g0.SetGlobalBuffer(a, 512);
  g1.SetGlobalBuffer(b, 512);
  LocalTensor<float> r0(TPosition::VECCALC, 0, 512), r1(TPosition::VECCALC, 2048, 512);
  Duplicate(r1, 0.0f, 512);
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID0);
  DataCopy(r0, g0, 512);
  if (has_bias != 0) {
    DataCopy(r1, g1, 512);
//+      set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
  }
//+  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);  //~ progress
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);//-
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);//-
  Add(r0, r0, r1, 512);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  DataCopy(g1, r0, 512);
  pipe_barrier(PIPE_ALL);
}
