//+// Emitted: the planner took tiles of float for tiles of half, so that two of them share addresses.
// Emitted: three tiles at addresses of their own.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, A_handle=float[8192], B_handle=float[8192], C_handle=float[8192])
extern "C" __global__ __aicore__ void main_kernel(GM_ADDR A_handle, GM_ADDR B_handle, GM_ADDR C_handle)
{
  TPipe pipe;
  GlobalTensor<float> A, B, C;
  A.SetGlobalBuffer((__gm__ float*)A_handle);
  B.SetGlobalBuffer((__gm__ float*)B_handle);
  C.SetGlobalBuffer((__gm__ float*)C_handle);
  TBuf<TPosition::VECCALC> ascend_ub;
  pipe.InitBuffer(ascend_ub, 196352);
  auto cid = GetBlockIdx();
  auto a_ub = ascend_ub.GetWithOffset<float>(2048, 0);
//+  auto b_ub = ascend_ub.GetWithOffset<float>(2048, 4096);
  auto b_ub = ascend_ub.GetWithOffset<float>(2048, 8192);//-
  auto c_ub = ascend_ub.GetWithOffset<float>(2048, 16384);
  for (int32_t i = 0; i < 2; ++i) {
    DataCopy(a_ub, A[cid * 4096 + i * 2048], 2048);
//+    DataCopy(b_ub, B[cid * 4096 + i * 2048], 2048);  //~ order
    DataCopy(b_ub, B[cid * 4096 + i * 2048], 2048);//-
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(c_ub, a_ub, b_ub, 2048);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(C[cid * 4096 + i * 2048], c_ub, 2048);
    PipeBarrier<PIPE_ALL>();
  }
}
