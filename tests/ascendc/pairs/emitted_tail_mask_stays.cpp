//+// Emitted: the mask of the tail of a row stays on for the next row.
// Emitted: each row has the masks of its own.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, a0=float[2, 96], a1=float[2, 96])
extern "C" __global__ __aicore__ void rows_with_tail(__gm__ float* a0, __gm__ float* a1)
{
  set_mask_norm();
  set_vector_mask(0, 0xffffffffffffffff);
  GlobalTensor<float> s0, s1;
  s0.SetGlobalBuffer(a0, 192);
  s1.SetGlobalBuffer(a1, 192);
  LocalTensor<float> u0(TPosition::VECCALC, 0, 192), u1(TPosition::VECCALC, 1024, 192);
  DataCopy(u0, s0, 192);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  Exp<float, false>(u1, u0, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  set_vector_mask(0, 0xffffffff);
  Exp<float, false>(u1[64], u0[64], MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  set_vector_mask(0, 0xffffffffffffffff);//-
  Exp<float, false>(u1[96], u0[96], MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  set_vector_mask(0, 0xffffffff);
  Exp<float, false>(u1[160], u0[160], MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  set_vector_mask(0, 0xffffffffffffffff);
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
//+  DataCopy(s1, u1, 192);  //~ initialised
  DataCopy(s1, u1, 192);//-
  pipe_barrier(PIPE_ALL);
}
