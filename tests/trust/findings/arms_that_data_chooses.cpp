// Which arm writes the result depends on data that no launch gives: that no arm does is no finding.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t LEN = 256;

template <bool BY_DATA>
__aicore__ inline void Power(GM_ADDR x, GM_ADDR e, GM_ADDR y, float given)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, LEN * sizeof(float));
    pipe.InitBuffer(out, 1, LEN * sizeof(float));
    GlobalTensor<float> xGm, eGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * LEN);
    eGm.SetGlobalBuffer((__gm__ float *)e);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * LEN);
    float exponent = given;
    if constexpr (BY_DATA) {
        exponent = eGm.GetValue(0);
    }
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, LEN);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    if (exponent >= 1.99f && exponent <= 2.01f) {
        Mul(b, a, a, LEN);
    } else if (exponent >= 0.49f && exponent <= 0.51f) {
        Sqrt(b, a, LEN);
    }
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(yGm, b, LEN); //~ ERROR uninitialized-read: DataCopy() stores undefined elements
    out.FreeTensor(b);
}

// a2lint: launch(block_dim=2, x=float[512], e=float[8], y=float[512])
extern "C" __global__ __aicore__ void by_data(GM_ADDR x, GM_ADDR e, GM_ADDR y)
{
    Power<true>(x, e, y, 2.0f);
}

// The launch gives the number, and no arm is for it.
// a2lint: launch(block_dim=2, x=float[512], y=float[512], given=3.0)
extern "C" __global__ __aicore__ void by_number(GM_ADDR x, GM_ADDR y, float given)
{
    Power<false>(x, x, y, given);
}
