// The mask of Select has one bit for each element: a byte for each selects by other bits.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 256;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void positive_part(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> bits;
    pipe.InitBuffer(in, 1, N * sizeof(float));
    pipe.InitBuffer(out, 1, N * sizeof(float));
    pipe.InitBuffer(bits, N / 8);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, N);
    gy.SetGlobalBuffer((__gm__ float*)y, N);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, N);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
    auto mask = bits.Get<uint8_t>();
    CompareScalar(mask, t, 0.0f, CMPMODE::GT, N);
    Select(r, mask, t, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, N);
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<float>();
    DataCopy(gy, r, N);
    out.FreeTensor(r);
}
