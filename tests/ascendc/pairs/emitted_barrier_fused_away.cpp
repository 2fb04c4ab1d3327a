//+// Emitted: the pass that merges barriers dropped the one between two dependent instructions.
// Emitted: a barrier of V between dependent instructions.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: auto-sync off
// a2lint: launch(block_dim=1, p0=float[1024], p1=float[1024])
extern "C" __global__ __aicore__ void fused_relu_scale(__gm__ float* p0, __gm__ float* p1)
{
  InitSocState();
  GlobalTensor<float> t0, t1;
  t0.SetGlobalBuffer(p0, 1024);
  t1.SetGlobalBuffer(p1, 1024);
  LocalTensor<float> t2(TPosition::VECCALC, 0, 1024);
  LocalTensor<float> t3(TPosition::VECCALC, 4096, 1024);
  DataCopy(t2, t0, 1024);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  Relu(t3, t2, 1024);
//+  Muls(t2, t3, 0.125f, 1024);  //~ order
  pipe_barrier(PIPE_V);//-
  Muls(t2, t3, 0.125f, 1024);//-
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  DataCopy(t1, t2, 1024);
  pipe_barrier(PIPE_ALL);
}
