// A product of fractals of which some are not loaded: nothing is proved of what it reads.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 16, N = 16, K = 32;

template <HardEvent e>
__aicore__ inline void HandOver()
{
    SetFlag<e>(EVENT_ID0);
    WaitFlag<e>(EVENT_ID0);
}

__aicore__ inline void Product(__gm__ half *a, __gm__ half *b, __gm__ float *c, uint16_t rows, uint8_t left,
                               uint8_t right)
{
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, M * K * 2, N * K);
    LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, N * K);
    LocalTensor<float> sum(TPosition::CO1, 0, M * N);
    DataCopy(a1, ga, Nd2NzParams{1, rows, K, 0, K, M, 1, 0});
    DataCopy(b1, gb, Nd2NzParams{1, N, K, 0, K, N, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>();
    LoadData(a2, a1, LoadData2DParams{0, left, 1, 0, 0, false, 0});
    LoadData(b2, b1, LoadData2DParams{0, right, 1, 0, 0, false, 0});
    HandOver<HardEvent::MTE1_M>();
    Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});
    HandOver<HardEvent::M_FIX>();
    Fixpipe(gc, sum, FixpipeParamsV220{N, M, M, N, false}); //~ ERROR uninitialized-read: stores undefined elements
    PipeBarrier<PIPE_ALL>();
}

//~ VERDICT all_loaded.initialised: holds
//~ VERDICT all_loaded.order: holds
// a2lint: launch(block_dim=1, a=half[16, 32], b=half[16, 32], c=float[16, 16])
__global__ __cube__ void all_loaded(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    InitSocState();
    Product(a, b, c, M, 2, 2);
}

//~ VERDICT left_short.initialised: open
// a2lint: launch(block_dim=1, a=half[16, 32], b=half[16, 32], c=float[16, 16])
__global__ __cube__ void left_short(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    InitSocState();
    Product(a, b, c, M, 1, 2);
}

//~ VERDICT right_short.initialised: open
// a2lint: launch(block_dim=1, a=half[16, 32], b=half[16, 32], c=float[16, 16])
__global__ __cube__ void right_short(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    InitSocState();
    Product(a, b, c, M, 2, 1);
}

//~ VERDICT rows_short.initialised: open
// a2lint: launch(block_dim=1, a=half[16, 32], b=half[16, 32], c=float[16, 16])
__global__ __cube__ void rows_short(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    InitSocState();
    Product(a, b, c, 15, 2, 2);
}
