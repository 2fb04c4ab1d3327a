//+// Emitted: the next fractals are loaded while the product still reads those before.
// Emitted: fractals are loaded when the product has read those before.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, lhs=half[3, 16, 32], rhs=half[32, 16], acc=float[3, 16, 16])
__global__ __cube__ void mm_0(__gm__ half* lhs, __gm__ half* rhs, __gm__ float* acc)
{
  InitSocState();
  GlobalTensor<half> b0, b1;
  GlobalTensor<float> b2;
  b0.SetGlobalBuffer(lhs);
  b1.SetGlobalBuffer(rhs);
  b2.SetGlobalBuffer(acc);
  LocalTensor<half> l1a(TPosition::A1, 0, 512), l1b(TPosition::B1, 1024, 512);
  LocalTensor<half> l0a(TPosition::A2, 0, 512), l0b(TPosition::B2, 0, 512);
  LocalTensor<float> l0c(TPosition::CO1, 0, 256);
  DataCopy(l1b, b1, Nd2NzParams{1, 32, 16, 0, 16, 32, 1, 0});
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  LoadData(l0b, l1b, LoadData2DParams{0, 1, 1, 0, 0, true, 0});
  LoadData(l0b[256], l1b[256], LoadData2DParams{0, 1, 1, 0, 0, true, 0});
  set_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);//-
  for (int32_t i0 = 0; i0 < 3; ++i0) {
    DataCopy(l1a, b0[i0 * 512], Nd2NzParams{1, 16, 32, 0, 32, 16, 1, 0});
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
//+    LoadData(l0a, l1a, LoadData2DParams{0, 2, 1, 0, 0, false, 0});  //~ order
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);//-
    LoadData(l0a, l1a, LoadData2DParams{0, 2, 1, 0, 0, false, 0});//-
    set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);
    set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
    Mmad(l0c, l0a, l0b, MmadParams{16, 16, 32, 0, false, true});
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);//-
    set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
    Fixpipe(b2[i0 * 256], l0c, FixpipeParamsV220{16, 16, 16, 16, false});
    set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
  }
  wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);//-
  pipe_barrier(PIPE_ALL);
}
