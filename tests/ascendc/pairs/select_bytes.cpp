// The mask of Select has one bit for each element: of a mask with a byte for each, only the first eighth is read.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 512;
//+constexpr int32_t MASK_BYTES = N;
constexpr int32_t MASK_BYTES = N / 8;//-

// a2lint: launch(block_dim=1, x=float[512], keep=uint8[512], y=float[512])
extern "C" __global__ __aicore__ void drop_out(GM_ADDR x, GM_ADDR keep, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in, keepIn;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, N * sizeof(float));
    pipe.InitBuffer(keepIn, 1, MASK_BYTES);
    pipe.InitBuffer(out, 1, N * sizeof(float));
    GlobalTensor<float> gx, gy;
    GlobalTensor<uint8_t> gk;
    gx.SetGlobalBuffer((__gm__ float*)x, N);
    gk.SetGlobalBuffer((__gm__ uint8_t*)keep, MASK_BYTES);
    gy.SetGlobalBuffer((__gm__ float*)y, N);
    auto t = in.AllocTensor<float>();
    auto mask = keepIn.AllocTensor<uint8_t>();
    DataCopy(t, gx, N);
    DataCopy(mask, gk, MASK_BYTES);
    in.EnQue(t);
    keepIn.EnQue(mask);
    t = in.DeQue<float>();
    mask = keepIn.DeQue<uint8_t>();
    auto r = out.AllocTensor<float>();
//+    Select(r, mask, t, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, N);  //~ operands
    Select(r, mask, t, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, N);//-
    in.FreeTensor(t);
    keepIn.FreeTensor(mask);
    out.EnQue(r);
    r = out.DeQue<float>();
    DataCopy(gy, r, N);
    out.FreeTensor(r);
}
