//+// Emitted: the flag of two loads is set between them.
// Emitted: the flag is set after both loads.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, q0=float[1024], q1=float[1024], q2=float[1024])
extern "C" __global__ __aicore__ void binary_7(__gm__ float* q0, __gm__ float* q1, __gm__ float* q2)
{
  InitSocState();
  GlobalTensor<float> g0, g1, g2;
  g0.SetGlobalBuffer(q0, 1024);
  g1.SetGlobalBuffer(q1, 1024);
  g2.SetGlobalBuffer(q2, 1024);
  LocalTensor<float> i0(TPosition::VECIN, 0x0, 1024);
  LocalTensor<float> i1(TPosition::VECIN, 0x1000, 1024);
  LocalTensor<float> i2(TPosition::VECOUT, 0x2000, 1024);
  DataCopy(i0, g0, 1024);
//+  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  DataCopy(i1, g1, 1024);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);//-
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
//+  Max(i2, i0, i1, 1024);  //~ order
  Max(i2, i0, i1, 1024);//-
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  DataCopy(g2, i2, 1024);
  pipe_barrier(PIPE_ALL);
}
