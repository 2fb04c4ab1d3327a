//+// The first product adds to sums that nothing has started.
// Each product starts its sums.//-
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 32, N = 32, K = 64;

template <HardEvent e>
__aicore__ inline void HandOver(event_t id)
{
    SetFlag<e>(id);
    WaitFlag<e>(id);
}

// a2lint: launch(block_dim=1, a=half[4, 32, 64], b=half[64, 32], c=float[4, 32, 32], tiles=4)
__global__ __cube__ void tiles_in_turn(__gm__ half *a, __gm__ half *b, __gm__ float *c, uint32_t tiles)
{
    InitSocState();
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, M * K * 2, K * N);
    LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, K * N);
    LocalTensor<float> sum(TPosition::CO1, 0, M * N);
    DataCopy(b1, gb, Nd2NzParams{1, K, N, 0, N, K, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>(EVENT_ID0);
    for (uint32_t i = 0; i < K / 16; i++) {
        LoadData(b2[i * N * 16], b1[i * 256], LoadData2DParams{0, N / 16, K / 16, 0, 0, true, 0});
    }
    for (uint32_t t = 0; t < tiles; t++) {
        DataCopy(a1, ga[t * M * K], Nd2NzParams{1, M, K, 0, K, M, 1, 0});
        HandOver<HardEvent::MTE2_MTE1>(EVENT_ID0);
        for (uint32_t i = 0; i < M / 16; i++) {
            LoadData(a2[i * K * 16], a1[i * 256], LoadData2DParams{0, K / 16, M / 16, 0, 0, false, 0});
        }
        HandOver<HardEvent::MTE1_MTE2>(EVENT_ID0);
        HandOver<HardEvent::MTE1_M>(EVENT_ID0);
//+        Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, t > 0 ? true : false});  //~ initialised
        Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});//-
        HandOver<HardEvent::M_MTE1>(EVENT_ID0);
        HandOver<HardEvent::M_FIX>(EVENT_ID0);
        Fixpipe(gc[t * M * N], sum, FixpipeParamsV220{N, M, M, N, false});
        HandOver<HardEvent::FIX_M>(EVENT_ID0);
    }
    PipeBarrier<PIPE_ALL>();
}
