// A repeat stride has 8 bits: 256 blocks become 0, and each repeat takes the first one again.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t PITCH>
__aicore__ inline void AddRows(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in, weights;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256 * sizeof(float));
    pipe.InitBuffer(weights, 1, 4 * PITCH * sizeof(float));
    pipe.InitBuffer(out, 1, 256 * sizeof(float));
    GlobalTensor<float> xGm, wGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    wGm.SetGlobalBuffer((__gm__ float *)w);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, 256);
    in.EnQue(a);
    LocalTensor<float> t = weights.AllocTensor<float>();
    DataCopy(t, wGm, 4 * PITCH);
    weights.EnQue(t);
    a = in.DeQue<float>();
    t = weights.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Add(b, a, t, 64, 4, {1, 1, 1, 8, 8, static_cast<uint8_t>(PITCH / 8)}); //~ ERROR scalar-overflow: is 256, wraps to 0
    in.FreeTensor(a);
    weights.FreeTensor(t);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(yGm, b, 256);
    out.FreeTensor(b);
}

// a2lint: launch(block_dim=1, x=float[256], w=float[8192], y=float[256])
extern "C" __global__ __aicore__ void two_hundred_and_fifty_six(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    AddRows<2048>(x, w, y);
}

// a2lint: launch(block_dim=1, x=float[256], w=float[4096], y=float[256])
extern "C" __global__ __aicore__ void one_hundred_and_twenty_eight(GM_ADDR x, GM_ADDR w, GM_ADDR y)
{
    AddRows<1024>(x, w, y);
}
