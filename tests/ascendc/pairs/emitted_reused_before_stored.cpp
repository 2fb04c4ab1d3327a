//+// Emitted: %5 takes the place of %3, whose store is not awaited.
// Emitted: the place of a tile is taken once its store has read it.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, v1=half[4096], v2=half[4096])
extern "C" __global__ __aicore__ void fused_0(__gm__ half* v1, __gm__ half* v2)
{
  set_mask_norm();
  set_vector_mask(0xffffffffffffffff, 0xffffffffffffffff);
  GlobalTensor<half> v3, v4;
  v3.SetGlobalBuffer(v1, 4096);
  v4.SetGlobalBuffer(v2, 4096);
  LocalTensor<half> v5(TPosition::VECCALC, 0, 2048);
  LocalTensor<half> v6(TPosition::VECCALC, 4096, 2048);
  DataCopy(v5, v3, 2048);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  Exp(v6, v5, 2048);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  DataCopy(v4, v6, 2048);
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);//-
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);//-
  LocalTensor<half> v7(TPosition::VECCALC, 4096, 2048);
//+  DataCopy(v7, v3[2048], 2048);  //~ order
  DataCopy(v7, v3[2048], 2048);//-
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
  Exp(v5, v7, 2048);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
  DataCopy(v4[2048], v5, 2048);
  pipe_barrier(PIPE_ALL);
}
