// c = a @ b^T in half, stored as strips of sixteen columns (NZ), which the next product loads without a conversion.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 32, N = 48, K = 32;

template <HardEvent e>
__aicore__ inline void HandOver()
{
    SetFlag<e>(EVENT_ID0);
    WaitFlag<e>(EVENT_ID0);
}

// a2lint: launch(block_dim=2, a=half[70, 32], b=half[48, 32], c=half[3, 70, 16], rows=70)
__global__ __cube__ void matmul_strips(__gm__ half *a, __gm__ half *b, __gm__ half *c, uint32_t rows)
{
    InitSocState();
    GlobalTensor<half> ga, gb, gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, M * K * sizeof(half), N * K);
    LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, N * K);
    LocalTensor<float> sum(TPosition::CO1, 0, M * N);
    DataCopy(b1, gb, Nd2NzParams{1, N, K, 0, K, N, 1, 0});
    HandOver<HardEvent::MTE2_MTE1>();
    LoadData(b2, b1, LoadData2DParams{0, N / 16 * (K / 16), 1, 0, 0, false, 0});
    for (uint32_t row = GetBlockIdx() * M; row < rows; row += GetBlockNum() * M) {
        const uint16_t live = rows - row < M ? rows - row : M;
        const uint16_t high = (live + 15) / 16 * 16;
        DataCopy(a1, ga[row * K], Nd2NzParams{1, live, K, 0, K, high, 1, 0});
        HandOver<HardEvent::MTE2_MTE1>();
        for (uint16_t at = 0; at < high / 16; at++) {
            LoadData(a2[at * K * 16], a1[at * 256], LoadData2DParams{0, K / 16, high / 16, 0, 0, false, 0});
        }
        HandOver<HardEvent::MTE1_MTE2>();
        HandOver<HardEvent::MTE1_M>();
        Mmad(sum, a2, b2, MmadParams{high, N, K, 0, false, true});
        HandOver<HardEvent::M_MTE1>();
        HandOver<HardEvent::M_FIX>();
        FixpipeParamsV220 strips;
        strips.nSize = N;
        strips.mSize = live;
        strips.srcStride = high;
        strips.dstStride = rows;
        strips.quantPre = QuantMode_t::F322F16;
        strips.reluEn = true;
        Fixpipe<half, float, CFG_NZ>(gc[row * 16], sum, strips);
        HandOver<HardEvent::FIX_M>();
    }
    PipeBarrier<PIPE_ALL>();
}
