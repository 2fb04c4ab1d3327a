//+// Emitted: the work on a slot waits for the load of the other one.
// Emitted: each slot has the id of its own load.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, src=half[8192], dst=half[8192])
extern "C" __global__ __aicore__ void pipelined(__gm__ uint8_t* src, __gm__ uint8_t* dst)
{
  InitSocState();
  GlobalTensor<half> g0, g1;
  g0.SetGlobalBuffer((__gm__ half*)src, 8192);
  g1.SetGlobalBuffer((__gm__ half*)dst, 8192);
  LocalTensor<half> t0(TPosition::VECIN, 0, 4096), t1(TPosition::VECOUT, 8192, 4096);
  DataCopy(t0, g0, 2048);
  set_flag(PIPE_MTE2, PIPE_V, 0);
  for (int32_t k = 0; k < 4; ++k) {
    int32_t slot = k & 1;
    if (k + 1 < 4) {
      if (k > 0) {
        wait_flag(PIPE_V, PIPE_MTE2, 1 - slot);
      }
      DataCopy(t0[(1 - slot) * 2048], g0[(k + 1) * 2048], 2048);
      set_flag(PIPE_MTE2, PIPE_V, 1 - slot);
    }
    if (k + 1 < 4) {
//+      wait_flag(PIPE_MTE2, PIPE_V, 1 - slot);  //~ progress
      wait_flag(PIPE_MTE2, PIPE_V, slot);//-
    } else {
      wait_flag(PIPE_MTE2, PIPE_V, slot);
    }
    if (k > 1) {
      wait_flag(PIPE_MTE3, PIPE_V, slot);
    }
    Adds(t1[slot * 2048], t0[slot * 2048], static_cast<half>(1.0f), 2048);
    if (k < 3) {
      set_flag(PIPE_V, PIPE_MTE2, slot);
    }
    set_flag(PIPE_V, PIPE_MTE3, slot);
    wait_flag(PIPE_V, PIPE_MTE3, slot);
    DataCopy(g1[k * 2048], t1[slot * 2048], 2048);
    set_flag(PIPE_MTE3, PIPE_V, slot);
  }
  wait_flag(PIPE_MTE3, PIPE_V, 0);
  wait_flag(PIPE_MTE3, PIPE_V, 1);
  wait_flag(PIPE_V, PIPE_MTE2, 0);
  pipe_barrier(PIPE_ALL);
}
