// y = x @ w for one row of x: the cube takes it as it lies in memory.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t K = 80, N = 64;

// a2lint: launch(block_dim=1, x=half[80], w=half[80, 64], y=float[64])
__global__ __cube__ void gemv_rows(__gm__ half *x, __gm__ half *w, __gm__ float *y)
{
    InitSocState();
    GlobalTensor<half> gx, gw;
    GlobalTensor<float> gy;
    gx.SetGlobalBuffer(x, K);
    gw.SetGlobalBuffer(w, K * N);
    gy.SetGlobalBuffer(y, N);
    LocalTensor<half> x1(TPosition::A1, 0, 256), w1(TPosition::B1, 512, K * N);
    LocalTensor<half> x2(TPosition::A2, 0, 256), w2(TPosition::B2, 0, K * N);
    LocalTensor<float> sum(TPosition::CO1, 0, 16 * N);
    DataCopy(x1, gx, K);
    DataCopy(w1, gw, Nd2NzParams{1, K, N, 0, N, K, 1, 0});
    SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    LoadData(x2, x1, LoadData2DParams{0, 1, 1, 0, 0, false, 0});
    for (uint32_t i = 0; i < K / 16; i++) {
        LoadData(w2[i * 16 * N], w1[i * 256], LoadData2DParams{0, N / 16, K / 16, 0, 0, true, 0});
    }
    SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
    WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(sum, x2, w2, MmadParams{1, N, K, 0, false, true});
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    Fixpipe(gy, sum, FixpipeParamsV220{N, 1, 16, N, false});
    PipeBarrier<PIPE_ALL>();
}
