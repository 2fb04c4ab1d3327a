//+// Emitted: the loop orders loads, work and stores, and no load with the work before it.
// Emitted: each load waits for the work that still reads its tile.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, arg0=float[16384], arg1=float[16384])
extern "C" __global__ __aicore__ void kernel_scale(GM_ADDR arg0, GM_ADDR arg1)
{
  InitSocState();
  GlobalTensor<float> gm0, gm1;
  gm0.SetGlobalBuffer((__gm__ float*)arg0 + get_block_idx() * 4096, 4096);
  gm1.SetGlobalBuffer((__gm__ float*)arg1 + get_block_idx() * 4096, 4096);
  LocalTensor<float> ub0(TPosition::VECIN, 0, 1024);
  LocalTensor<float> ub1(TPosition::VECOUT, 4096, 1024);
  set_flag(PIPE_MTE3, PIPE_V, EVENT_ID2);
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);//-
  for (int32_t iv = 0; iv < 4; iv = iv + 1) {
//+    DataCopy(ub0, gm0[iv * 1024], 1024);  //~ order
    wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);//-
    DataCopy(ub0, gm0[iv * 1024], 1024);//-
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID2);
    Muls(ub1, ub0, 3.0f, 1024);
    set_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);//-
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    DataCopy(gm1[iv * 1024], ub1, 1024);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID2);
  }
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID1);//-
  wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID2);
  pipe_barrier(PIPE_ALL);
}
