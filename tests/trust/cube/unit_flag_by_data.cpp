// A product that data decides about sets the unit flag which a copy awaits: other data than the drawn ones may set it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 64, N = 64, K = 32;

template <HardEvent e>
__aicore__ inline void HandOver(event_t id)
{
    SetFlag<e>(id);
    WaitFlag<e>(id);
}

struct Sums {
    LocalTensor<half> a1, b1, a2, b2;
    LocalTensor<float> sum;
    GlobalTensor<half> a, b;
    GlobalTensor<float> c;

    __aicore__ inline void Init(__gm__ half *left, __gm__ half *right, __gm__ float *result)
    {
        a1 = LocalTensor<half>(TPosition::A1, 0, M * K);
        b1 = LocalTensor<half>(TPosition::B1, M * K * 2, N * K);
        a2 = LocalTensor<half>(TPosition::A2, 0, M * K);
        b2 = LocalTensor<half>(TPosition::B2, 0, N * K);
        sum = LocalTensor<float>(TPosition::CO1, 0, M * N);
        a.SetGlobalBuffer(left);
        b.SetGlobalBuffer(right);
        c.SetGlobalBuffer(result);
    }

    __aicore__ inline void Load(uint32_t k, uint32_t depth)
    {
        DataCopy(a1, a[k], Nd2NzParams{1, M, K, 0, static_cast<uint16_t>(depth), M, 1, 0});
        DataCopy(b1, b[k], Nd2NzParams{1, N, K, 0, static_cast<uint16_t>(depth), N, 1, 0});
        HandOver<HardEvent::MTE2_MTE1>(EVENT_ID0);
        for (uint16_t i = 0; i < M / 16; i++) {
            LoadData(a2[i * 16 * K], a1[i * 256], LoadData2DParams{0, K / 16, M / 16, 0, 0, false, 0});
        }
        LoadData(b2, b1, LoadData2DParams{0, N / 16 * (K / 16), 1, 0, 0, false, 0});
        HandOver<HardEvent::MTE1_MTE2>(EVENT_ID0);
        HandOver<HardEvent::MTE1_M>(EVENT_ID0);
    }

    __aicore__ inline void Add(bool first, uint8_t unitFlag)
    {
        MmadParams params(M, N, K, 0, false, first);
        params.unitFlag = unitFlag;
        Mmad(sum, a2, b2, params);
        HandOver<HardEvent::M_MTE1>(EVENT_ID3);
    }

    __aicore__ inline void Store(uint32_t tile, uint8_t unitFlag)
    {
        FixpipeParamsV220 params(N, M, M, N, false);
        params.unitFlag = unitFlag;
        Fixpipe(c[tile * M * N], sum, params);
    }
};

// a2lint: launch(block_dim=1, a=half[64, 96], b=half[64, 96], c=float[64, 64], w=int[64], depth=32)
__global__ __cube__ void by_data(__gm__ half *a, __gm__ half *b, __gm__ float *c, __gm__ int32_t *w, uint32_t depth)
{
    Sums sums;
    sums.Init(a, b, c);
    GlobalTensor<int32_t> counts;
    counts.SetGlobalBuffer(w);
    uint32_t most = counts.GetValue(0) > 1000000 ? 1 : 0;
    sums.Load(0, depth);
    MmadParams params(M, N, K, 0, false, true);
    params.unitFlag = 3;
    if (most > 0) {
        Mmad(sums.sum, sums.a2, sums.b2, params);
    }
    sums.Store(0, 3);
    PipeBarrier<PIPE_ALL>();
}
//~ VERDICT by_data.progress: undecided
