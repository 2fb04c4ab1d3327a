//+// Emitted: nothing sets the mask, so that it is what the kernel before has left.
// Emitted: the mask is set at entry.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, v0=half[1024], v1=half[1024])
extern "C" __global__ __aicore__ void unary_3(__gm__ half* v0, __gm__ half* v1)
{
  set_mask_norm();//-
  set_vector_mask(0xffffffffffffffff, 0xffffffffffffffff);//-
  GlobalTensor<half> v2, v3;
  v2.SetGlobalBuffer(v0, 1024);
  v3.SetGlobalBuffer(v1, 1024);
  LocalTensor<half> v4(TPosition::VECCALC, 0, 1024);
  DataCopy(v4, v2, 1024);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
//+  Relu<half, false>(v4, v4, MASK_PLACEHOLDER, 8, {1, 1, 8, 8});  //~ mask-inherited
  Relu<half, false>(v4, v4, MASK_PLACEHOLDER, 8, {1, 1, 8, 8});//-
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  DataCopy(v3, v4, 1024);
  pipe_barrier(PIPE_ALL);
}
