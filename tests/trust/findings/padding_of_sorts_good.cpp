// Infinities that pad what is sorted, in a buffer that arithmetic has used before; and infinities in the lanes behind
// the columns of a softmax, where the largest of the real values is subtracted.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> valueBuf, indexBuf, sortedBuf;
    pipe.InitBuffer(valueBuf, 32 * sizeof(float));
    pipe.InitBuffer(indexBuf, 32 * sizeof(uint32_t));
    pipe.InitBuffer(sortedBuf, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> values = valueBuf.Get<float>();
    LocalTensor<float> sorted = sortedBuf.Get<float>();
    LocalTensor<int32_t> index = indexBuf.Get<int32_t>();
    DataCopy(values, xGm, 32);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(values, values, 0.5f, 32);
    uint64_t mask[2] = {0xFFFFFF00, 0};
    Duplicate(values, -1.0f / 0.0f, mask, 1, 1, 8);
    CreateVecIndex(index, 0, 32);
    Sort32(sorted, values, index.ReinterpretCast<uint32_t>(), 1);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, sorted, 64);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void padded_row(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, maxBuf, wideBuf;
    pipe.InitBuffer(rowBuf, 64 * sizeof(float));
    pipe.InitBuffer(maxBuf, 64 * sizeof(float));
    pipe.InitBuffer(wideBuf, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> largest = maxBuf.Get<float>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    DataCopy(row, xGm, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    uint64_t mask[2] = {0xFF00000000000000, 0};
    Duplicate(row, -1.0f / 0.0f, mask, 1, 1, 8);
    WholeReduceMax(largest, row, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    Brcb(wide, largest, 1, {1, 8});
    Sub(row, row, wide, 64, 1, {1, 1, 0, 8, 8, 0});
    Exp(row, row, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, row, 64);
}
