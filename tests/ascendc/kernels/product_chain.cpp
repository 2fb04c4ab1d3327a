// d = half(a @ b) @ c: the first product goes back to L1 as the left operand of the second.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 32, K = 48, N = 64, P = 32;

template <HardEvent e>
__aicore__ inline void HandOver()
{
    SetFlag<e>(EVENT_ID0);
    WaitFlag<e>(EVENT_ID0);
}

// The rows of fractals of a left operand, whose matrix lies in strips of `rows` rows.
__aicore__ inline void Left(const LocalTensor<half> &to, const LocalTensor<half> &from, uint32_t rows, uint32_t depth)
{
    for (uint32_t i = 0; i < rows / 16; i++) {
        LoadData(to[i * depth * 16], from[i * 256],
                 LoadData2DParams(0, depth / 16, rows / 16, 0, 0, false, 0));
    }
}

__aicore__ inline void Right(const LocalTensor<half> &to, const LocalTensor<half> &from, uint32_t depth, uint32_t columns)
{
    for (uint32_t i = 0; i < depth / 16; i++) {
        LoadData(to[i * columns * 16], from[i * 256],
                 LoadData2DParams(0, columns / 16, depth / 16, 0, 0, true, 0));
    }
}

// a2lint: launch(block_dim=2, a=half[3, 32, 48], b=half[48, 64], c=half[64, 32], d=float[3, 32, 32], tiles=3)
__global__ __cube__ void product_chain(__gm__ half *a, __gm__ half *b, __gm__ half *c, __gm__ float *d, uint32_t tiles)
{
    InitSocState();
    GlobalTensor<half> ga, gb, gc;
    GlobalTensor<float> gd;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    gd.SetGlobalBuffer(d);
    LocalTensor<half> a1(TPosition::A1, 0, M * K), ab1(TPosition::A1, M * K * 2, M * N);
    LocalTensor<half> b1(TPosition::B1, 16384, K * N), c1(TPosition::B1, 32768, N * P);
    LocalTensor<half> left(TPosition::A2, 0, M * N);
    LocalTensor<half> b2(TPosition::B2, 0, K * N), c2(TPosition::B2, K * N * 2, N * P);
    LocalTensor<float> first(TPosition::CO1, 0, M * N), second(TPosition::CO1, M * N * 4, M * P);
    DataCopy(b1, gb, Nd2NzParams{1, K, N, 0, N, K, 1, 0});
    DataCopy(c1, gc, Nd2NzParams{1, N, P, 0, P, N, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>();
    Right(b2, b1, K, N);
    Right(c2, c1, N, P);
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        DataCopy(a1, ga[i * M * K], Nd2NzParams{1, M, K, 0, K, M, 1, 0});
        HandOver<HardEvent::MTE2_MTE1>();
        Left(left, a1, M, K);
        HandOver<HardEvent::MTE1_MTE2>();
        HandOver<HardEvent::MTE1_M>();
        Mmad(first, left, b2, MmadParams{M, N, K, 0, false, true});
        HandOver<HardEvent::M_MTE1>();
        HandOver<HardEvent::M_FIX>();
        Fixpipe(ab1, first, FixpipeParamsV220{N, M, M, M, false, QuantMode_t::F322F16, 0, 1, 0, 0, 0});
        HandOver<HardEvent::FIX_MTE1>();
        Left(left, ab1, M, N);
        HandOver<HardEvent::MTE1_M>();
        Mmad(second, left, c2, MmadParams{M, P, N, 0, false, true});
        HandOver<HardEvent::M_MTE1>();
        HandOver<HardEvent::M_FIX>();
        Fixpipe(gd[i * M * P], second, FixpipeParamsV220{P, M, M, P, false});
        HandOver<HardEvent::FIX_M>();
        HandOver<HardEvent::MTE1_FIX>();
    }
    PipeBarrier<PIPE_ALL>();
}
