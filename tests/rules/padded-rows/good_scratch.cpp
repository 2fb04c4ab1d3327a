// The rows are gone when the sum has used their tensor as scratch space: what is read afterwards lies side by side.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void sums(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    TPipe pipe;
    TBuf<> rowBuf, manyBuf, sumBuf, outBuf;
    pipe.InitBuffer(rowBuf, 512);
    pipe.InitBuffer(manyBuf, 64 * 64 * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
    pipe.InitBuffer(outBuf, 256);
    LocalTensor<float> rows = rowBuf.Get<float>();
    LocalTensor<float> many = manyBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    DataCopyPad(rows, xGm, {16, 16, 0, 0, 0}, {true, 0, 4, 0});
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(many, 1.0f, 4096);
    Adds(rows, rows, 1.0f, 128);
    ReduceSum(sum, many, rows, 4096);
    Muls(out, rows, 2.0f, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, out, 64);
}
