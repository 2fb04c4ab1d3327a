// The bits of a number, read through its address: what C++ makes of them, or a number that is not known.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[64], y=int32[64])
extern "C" __global__ __aicore__ void of_data(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<half> xGm;
    GlobalTensor<int32_t> yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, 64);
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, 64);
    for (int i = 0; i < 64; ++i) {
        half value = xGm.GetValue(i);
        int16_t bits = *(int16_t *)&value;
        int32_t wide = (bits & 0x7fff) << 13;
        float back = *reinterpret_cast<float *>(&wide);
        yGm.SetValue(i, (int32_t)back);  //~ PARTLY: a number could not be evaluated
    }
}

__aicore__ inline int32_t Low(int64_t value)
{
    return *reinterpret_cast<int16_t *>(&value);
}

// 0x10040 seen as 16 bits is 64; -1 seen without a sign is 255; the bits of 2.0f above the fraction are 128.
// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void of_constants(GM_ADDR x, GM_ADDR y)  //~ VERDICT of_constants.bounds: proved-if y is
{
    TPipe pipe;
    TBuf<> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    int8_t minus = -1;
    float two = 2.0f;
    const int32_t length = Low(0x10040);
    const int32_t next = ((uint8_t &)minus + 1) / 4;
    const int32_t exponent = (reinterpret_cast<int32_t &>(two) >> 23) / 2;
    pipe.InitBuffer(buf, length * sizeof(float));
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, next);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, exponent);
}
