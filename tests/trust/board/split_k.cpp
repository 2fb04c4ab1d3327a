// Products of halves into few rows without a barrier between the steps: a 910B3 gave wrong sums, or 507015.
#include "kernel_operator.h"
using namespace AscendC;

template <HardEvent e>
__aicore__ inline void HandOver()
{
    SetFlag<e>(EVENT_ID0);
    WaitFlag<e>(EVENT_ID0);
}

template <uint16_t ROWS, bool SETTLES>
__aicore__ inline void Product(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    constexpr uint16_t COLUMNS = 64, DEPTH = 64, STEP = 16;
    InitSocState();
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> a1(TPosition::A1, 0, ROWS * DEPTH), b1(TPosition::B1, ROWS * DEPTH * 2, COLUMNS * DEPTH);
    LocalTensor<half> a2(TPosition::A2, 0, ROWS * DEPTH), b2(TPosition::B2, 0, COLUMNS * DEPTH);
    LocalTensor<float> sum(TPosition::CO1, 0, ROWS * COLUMNS);
    DataCopy(a1, ga, Nd2NzParams{1, ROWS, DEPTH, 0, DEPTH, ROWS, 1, 0});
    DataCopy(b1, gb, Nd2NzParams{1, COLUMNS, DEPTH, 0, DEPTH, COLUMNS, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>();
    LoadData(a2, a1, LoadData2DParams{0, ROWS / 16 * (DEPTH / 16), 1, 0, 0, false, 0});
    LoadData(b2, b1, LoadData2DParams{0, COLUMNS / 16 * (DEPTH / 16), 1, 0, 0, false, 0});
    HandOver<HardEvent::MTE1_M>();
    for (uint16_t k = 0; k < DEPTH; k += STEP) {
        Mmad(sum, a2[k * ROWS], b2[k * COLUMNS], MmadParams{ROWS, COLUMNS, STEP, 0, false, k == 0});  //~ WARNING accumulate-settle
        if constexpr (SETTLES) {
            PipeBarrier<PIPE_M>();
        }
    }
    HandOver<HardEvent::M_FIX>();
    FixpipeParamsV220 store;
    store.nSize = COLUMNS;
    store.mSize = ROWS;
    store.srcStride = ROWS;
    store.dstStride = COLUMNS;
    Fixpipe(gc, sum, store);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, a=half[16, 64], b=half[64, 64], c=float[16, 64])
__global__ __cube__ void sixteen_rows(__gm__ half *a, __gm__ half *b, __gm__ float *c) { Product<16, false>(a, b, c); }

// a2lint: launch(block_dim=1, a=half[16, 64], b=half[64, 64], c=float[16, 64])
__global__ __cube__ void settled(__gm__ half *a, __gm__ half *b, __gm__ float *c) { Product<16, true>(a, b, c); }

// a2lint: launch(block_dim=1, a=half[64, 64], b=half[64, 64], c=float[64, 64])
__global__ __cube__ void sixty_four_rows(__gm__ half *a, __gm__ half *b, __gm__ float *c) { Product<64, false>(a, b, c); }
