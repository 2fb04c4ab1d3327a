// DataCopy counts gaps in blocks of 32 bytes, not in bytes as DataCopyPad does.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint16_t H = 8;
constexpr uint16_t W = 64;
constexpr uint16_t PART = 16;

// a2lint: launch(block_dim=4, x=float[8, 64], y=float[8, 64])
extern "C" __global__ __aicore__ void columns(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, H * PART * sizeof(float));
    pipe.InitBuffer(out, 1, H * PART * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * PART);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * PART);
    constexpr uint16_t length = PART * sizeof(float) / 32;
    constexpr uint16_t gap = (W - PART) * sizeof(float) / 32;
    auto a = in.AllocTensor<float>();
//+    DataCopy(a, gx, {H, length, (W - PART) * sizeof(float), 0});  //~ bounds
    DataCopy(a, gx, {H, length, gap, 0});//-
    in.EnQue(a);
    a = in.DeQue<float>();
    auto b = out.AllocTensor<float>();
    Sqrt(b, a, H * PART);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(gy, b, {H, length, 0, gap});
    out.FreeTensor(b);
}
