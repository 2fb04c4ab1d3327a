// y = half(x) / sum(x) of integers: the scale of the cast is 1, and the sum is read from its register.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=int[128], y=float[128], length=64)
extern "C" __global__ __aicore__ void share_of_sum(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    TPipe pipe;
    GlobalTensor<int32_t> xGm;
    GlobalTensor<float> yGm;
    xGm.SetGlobalBuffer((__gm__ int32_t*)x + GetBlockIdx() * length);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * length);
    TQue<TPosition::VECIN, 1> xQue;
    TQue<TPosition::VECOUT, 1> yQue;
    TBuf<> halfBuf, sumBuf;
    pipe.InitBuffer(xQue, 1, length * sizeof(int32_t));
    pipe.InitBuffer(yQue, 1, length * sizeof(float));
    pipe.InitBuffer(halfBuf, length * sizeof(half));
    pipe.InitBuffer(sumBuf, length * sizeof(float));

    LocalTensor<int32_t> whole = xQue.AllocTensor<int32_t>();
    DataCopy(whole, xGm, length);
    xQue.EnQue(whole);
    whole = xQue.DeQue<int32_t>();
    LocalTensor<half> narrow = halfBuf.Get<half>();
    SetDeqScale(static_cast<half>(1.0f));
    Cast(narrow, whole, RoundMode::CAST_NONE, length);
    xQue.FreeTensor(whole);
    LocalTensor<float> share = yQue.AllocTensor<float>();
    Cast(share, narrow, RoundMode::CAST_NONE, length);
    LocalTensor<float> sum = sumBuf.Get<float>();
    ReduceSum(sum, share, sum, length);
    const float all = GetAccVal<float>();
    Muls(share, share, 1.0f / all, length);
    yQue.EnQue(share);
    share = yQue.DeQue<float>();
    DataCopy(yGm, share, length);
    yQue.FreeTensor(share);
}
