//+// The windows reach over twice as many rows as have been loaded into L1.
// The windows reach over the rows that have been loaded into L1.//-
#include "kernel_operator.h"
using namespace AscendC;

template <HardEvent e>
__aicore__ inline void HandOver(event_t id)
{
    SetFlag<e>(id);
    WaitFlag<e>(id);
}

constexpr uint32_t M = 32, N = 32, K = 64;

// a2lint: launch(block_dim=1, a=half[32, 64], b=half[32, 64], c=float[32, 32])
__global__ __cube__ void product_of_windows(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    InitSocState();
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> b1(TPosition::B1, 0, N * K), a1(TPosition::A1, N * K * 2, M * K);
    LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, N * K);
    LocalTensor<float> sum(TPosition::CO1, 0, M * N);
    DataCopy(a1, ga, Nd2NzParams{1, M, K, 0, K, M, 1, 0});
    DataCopy(b1, gb, Nd2NzParams{1, N, K, 0, K, N, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>(EVENT_ID0);
    LoadData3DParamsV2<half> window;
    window.l1H = 1;
//+    window.l1W = 2 * M;
    window.l1W = M;//-
    window.channelSize = K;
    window.kExtension = K;
    window.mExtension = M;
    LoadData(a2, a1, window);
    LoadData(b2, b1, LoadData2DParams{0, N / 16 * (K / 16), 1, 0, 0, false, 0});
    HandOver<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});
    HandOver<HardEvent::M_FIX>(EVENT_ID0);
//+    Fixpipe(gc, sum, FixpipeParamsV220{N, M, M, N, false});  //~ initialised
    Fixpipe(gc, sum, FixpipeParamsV220{N, M, M, N, false});//-
    PipeBarrier<PIPE_ALL>();
}
