//+// Emitted: the planner rounds addresses up to 16 bytes, and a block has 32.
// Emitted: each address is a multiple of 32.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, m0=float[512], m1=float[512])
extern "C" __global__ __aicore__ void packed_plan(__gm__ float* m0, __gm__ float* m1)
{
  InitSocState();
  GlobalTensor<float> n0, n1;
  n0.SetGlobalBuffer(m0, 512);
  n1.SetGlobalBuffer(m1, 512);
  LocalTensor<float> n2(TPosition::VECIN, 0x0, 512);
//+  LocalTensor<float> n3(TPosition::VECOUT, 0x810, 512);
  LocalTensor<float> n3(TPosition::VECOUT, 0x820, 512);//-
  DataCopy(n2, n0, 512);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
//+  Sqrt(n3, n2, 512);  //~ operands
  Sqrt(n3, n2, 512);//-
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  DataCopy(n1, n3, 512);
  pipe_barrier(PIPE_ALL);
}
