//+// The rows of the result are stored further apart than the result has columns.
// The rows of the result are stored as far apart as it has columns.//-
#include "kernel_operator.h"
using namespace AscendC;

template <HardEvent e>
__aicore__ inline void HandOver(event_t id)
{
    SetFlag<e>(id);
    WaitFlag<e>(id);
}

constexpr uint32_t M = 32, N = 32, K = 64;

// a2lint: launch(block_dim=1, a=half[32, 64], b=half[32, 64], c=half[32, 32])
__global__ __cube__ void product_in_half(__gm__ half *a, __gm__ half *b, __gm__ half *c)
{
    InitSocState();
    GlobalTensor<half> ga, gb, gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, M * K * 2, N * K);
    LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, N * K);
    LocalTensor<float> sum(TPosition::CO1, 0, M * N);
    DataCopy(a1, ga, Nd2NzParams{1, M, K, 0, K, M, 1, 0});
    DataCopy(b1, gb, Nd2NzParams{1, N, K, 0, K, N, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>(EVENT_ID0);
    for (uint32_t i = 0; i < M / 16; i++) {
        LoadData(a2[i * K * 16], a1[i * 256], LoadData2DParams{0, K / 16, M / 16, 0, 0, false, 0});
    }
    LoadData(b2, b1, LoadData2DParams{0, N / 16 * (K / 16), 1, 0, 0, false, 0});
    HandOver<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});
    HandOver<HardEvent::M_FIX>(EVENT_ID0);
    DataCopyCO12DstParams store;
    store.nSize = N;
    store.mSize = M;
//+    store.dstStride = 2 * N;
    store.dstStride = N;//-
    store.srcStride = M;
    store.nz2ndEn = true;
    store.quantPre = QuantMode_t::F322F16;
    SetFixpipeNz2ndFlag(1, 1, 1);
//+    DataCopy(gc, sum, store);  //~ bounds
    DataCopy(gc, sum, store);//-
    PipeBarrier<PIPE_ALL>();
}
