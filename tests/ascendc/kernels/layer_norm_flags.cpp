// Layer norm over rows of 512 floats, with plain buffers and flags in place of queues.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 512;
constexpr float EPS = 1e-5f;

template <HardEvent E>
__aicore__ inline void Sync()
{
    event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(E));
    SetFlag<E>(id);
    WaitFlag<E>(id);
}

// a2lint: launch(block_dim=4, x=float[16, 512], gamma=float[512], beta=float[512], y=float[16, 512], rows=16)
extern "C" __global__ __aicore__ void layer_norm_flags(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, gammaBuf, betaBuf, workBuf, sumBuf;
    pipe.InitBuffer(rowBuf, COLS * sizeof(float));
    pipe.InitBuffer(gammaBuf, COLS * sizeof(float));
    pipe.InitBuffer(betaBuf, COLS * sizeof(float));
    pipe.InitBuffer(workBuf, COLS * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
    GlobalTensor<float> xGm, gammaGm, betaGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    gammaGm.SetGlobalBuffer((__gm__ float*)gamma);
    betaGm.SetGlobalBuffer((__gm__ float*)beta);
    yGm.SetGlobalBuffer((__gm__ float*)y);

    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> scale = gammaBuf.Get<float>();
    LocalTensor<float> shift = betaBuf.Get<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();

    DataCopy(scale, gammaGm, COLS);
    DataCopy(shift, betaGm, COLS);
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
        DataCopy(row, xGm[r * COLS], COLS);
        Sync<HardEvent::MTE2_V>();
        ReduceSum(sum, row, work, COLS);
        Sync<HardEvent::V_S>();
        float mean = sum.GetValue(0) / COLS;
        Sync<HardEvent::S_V>();
        Adds(row, row, -mean, COLS);
        Mul(work, row, row, COLS);
        ReduceSum(sum, work, work, COLS);
        Sync<HardEvent::V_S>();
        float var = sum.GetValue(0) / COLS;
        float rstd = 1.0f / sqrt(var + EPS);
        Sync<HardEvent::S_V>();
        Muls(row, row, rstd, COLS);
        Mul(row, row, scale, COLS);
        Add(row, row, shift, COLS);
        Sync<HardEvent::V_MTE3>();
        DataCopy(yGm[r * COLS], row, COLS);
        Sync<HardEvent::MTE3_MTE2>();
    }
}
