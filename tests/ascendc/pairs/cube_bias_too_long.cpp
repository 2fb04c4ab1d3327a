//+// The bias of 320 floats is longer than the bias table of 1 KB.
// The bias of 256 floats fills the bias table of 1 KB.//-
#include "kernel_operator.h"
using namespace AscendC;

template <HardEvent e>
__aicore__ inline void HandOver(event_t id)
{
    SetFlag<e>(id);
    WaitFlag<e>(id);
}

//+constexpr uint32_t M = 16, N = 320, K = 16;
constexpr uint32_t M = 16, N = 256, K = 16;//-

//+// a2lint: launch(block_dim=1, a=half[16, 16], b=half[320, 16], bias=float[320], c=float[16, 320])
// a2lint: launch(block_dim=1, a=half[16, 16], b=half[256, 16], bias=float[256], c=float[16, 256])//-
__global__ __cube__ void product_with_bias(__gm__ half *a, __gm__ half *b, __gm__ float *bias, __gm__ float *c)
{
    InitSocState();
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gbias, gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gbias.SetGlobalBuffer(bias);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, M * K * 2, N * K);
    LocalTensor<float> bias1(TPosition::C1, (M + N) * K * 2, N), bias2(TPosition::C2, 0, N);
    LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, N * K);
    LocalTensor<float> sum(TPosition::CO1, 0, M * N);
    DataCopy(a1, ga, Nd2NzParams{1, M, K, 0, K, M, 1, 0});
    DataCopy(b1, gb, Nd2NzParams{1, N, K, 0, K, N, 1, 0});
    DataCopy(bias1, gbias, N);
    HandOver<HardEvent::MTE2_MTE1>(EVENT_ID0);
    for (uint32_t i = 0; i < M / 16; i++) {
        LoadData(a2[i * K * 16], a1[i * 256], LoadData2DParams{0, K / 16, M / 16, 0, 0, false, 0});
    }
    LoadData(b2, b1, LoadData2DParams{0, N / 16 * (K / 16), 1, 0, 0, false, 0});
    HandOver<HardEvent::MTE1_M>(EVENT_ID0);
//+    DataCopy(bias2, bias1, N);  //~ operands
    DataCopy(bias2, bias1, N);//-
    HandOver<HardEvent::MTE1_M>(EVENT_ID1);
    Mmad(sum, a2, b2, bias2, MmadParams{M, N, K, 0, true, false});
    HandOver<HardEvent::M_FIX>(EVENT_ID0);
    Fixpipe(gc, sum, FixpipeParamsV220{N, M, M, N, false});
    PipeBarrier<PIPE_ALL>();
}
