// The same padding, which is then multiplied by something that may be 0; and a whole row of infinities from which their
// own maximum is subtracted.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void weighted(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, weightBuf;
    pipe.InitBuffer(rowBuf, 64 * sizeof(float));
    pipe.InitBuffer(weightBuf, 64 * sizeof(float));
    GlobalTensor<float> xGm, wGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    wGm.SetGlobalBuffer((__gm__ float *)w);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> weight = weightBuf.Get<float>();
    DataCopy(row, xGm, 64);
    DataCopy(weight, wGm, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    uint64_t mask[2] = {0xFF00000000000000, 0};
    Duplicate(row, -1.0f / 0.0f, mask, 1, 1, 8);  //~ WARNING infinite-sentinel: takes the sentinel -inf
    Mul(row, row, weight, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, row, 64);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void from_nothing(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, largestBuf;
    pipe.InitBuffer(rowBuf, 64 * sizeof(float));
    pipe.InitBuffer(largestBuf, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> largest = largestBuf.Get<float>();
    Duplicate(largest, -1.0f / 0.0f, 64);  //~ WARNING infinite-sentinel: takes the sentinel -inf
    DataCopy(row, xGm, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Max(largest, largest, row, 64);
    Sub(row, row, largest, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, row, 64);
}
