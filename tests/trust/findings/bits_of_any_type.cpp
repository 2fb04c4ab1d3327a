// Masks of compares are combined by the bits, whatever their type; only debug builds refuse it. Integers are cleared by
// subtraction whatever they are.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=uint8[32], z=int[64])
extern "C" __global__ __aicore__ void between(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    GlobalTensor<float> from;
    GlobalTensor<uint8_t> to;
    GlobalTensor<int32_t> zeros;
    from.SetGlobalBuffer((__gm__ float *)x, 256);
    to.SetGlobalBuffer((__gm__ uint8_t *)y, 32);
    zeros.SetGlobalBuffer((__gm__ int32_t *)z, 64);
    TPipe pipe;
    TBuf<TPosition::VECCALC> data, first, second, cleared;
    pipe.InitBuffer(data, 1024);
    pipe.InitBuffer(first, 64);
    pipe.InitBuffer(second, 64);
    pipe.InitBuffer(cleared, 256);
    LocalTensor<float> row = data.Get<float>();
    LocalTensor<uint8_t> above = first.Get<uint8_t>();
    LocalTensor<uint8_t> below = second.Get<uint8_t>();
    LocalTensor<int32_t> zero = cleared.Get<int32_t>();
    DataCopy(row, from, 256);
    PipeBarrier<PIPE_ALL>();
    CompareScalar(above, row, 0.0f, CMPMODE::GT, 256);
    CompareScalar(below, row, 1.0f, CMPMODE::LT, 256);
    PipeBarrier<PIPE_V>();
    And(above, above, below, 16); //~ WARNING op-dtype: takes operands of one type
    Sub(zero, zero, zero, 64); //~ INFO zero-by-multiply: clears
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, above, 32);
    DataCopy(zeros, zero, 64);
}
