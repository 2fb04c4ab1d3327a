//+// Sums of int32 are stored as half without a conversion.
// The store multiplies the sums by a sixteenth and converts them to half.//-
#include "kernel_operator.h"
using namespace AscendC;

template <HardEvent e>
__aicore__ inline void HandOver(event_t id)
{
    SetFlag<e>(id);
    WaitFlag<e>(id);
}

constexpr uint32_t M = 32, N = 32, K = 64;

// a2lint: launch(block_dim=1, a=int8[32, 64], b=int8[32, 64], c=half[32, 32])
__global__ __cube__ void product_of_bytes(__gm__ int8_t *a, __gm__ int8_t *b, __gm__ half *c)
{
    InitSocState();
    GlobalTensor<int8_t> ga, gb;
    GlobalTensor<half> gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<int8_t> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, M * K, N * K);
    LocalTensor<int8_t> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, N * K);
    LocalTensor<int32_t> sum(TPosition::CO1, 0, M * N);
    DataCopy(a1, ga, Nd2NzParams{1, M, K, 0, K, M, 1, 0});
    DataCopy(b1, gb, Nd2NzParams{1, N, K, 0, K, N, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>(EVENT_ID0);
    for (uint32_t i = 0; i < M / 16; i++) {
        LoadData(a2[i * K * 16], a1[i * 512], LoadData2DParams{0, K / 32, M / 16, 0, 0, false, 0});
    }
    LoadData(b2, b1, LoadData2DParams{0, N / 16 * (K / 32), 1, 0, 0, false, 0});
    HandOver<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});
    HandOver<HardEvent::M_FIX>(EVENT_ID0);
    FixpipeParamsV220 store;
    store.nSize = N;
    store.mSize = M;
    store.dstStride = N;
    store.srcStride = M;
    store.quantPre = QuantMode_t::DEQF16;//-
    store.deqScalar = 0x3D800000;
//+    Fixpipe(gc, sum, store);  //~ operands
    Fixpipe(gc, sum, store);//-
    PipeBarrier<PIPE_ALL>();
}
