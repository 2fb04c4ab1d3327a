// A bit for each element: 1,024 elements need 128 bytes, and the buffer has 64.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 1024;
//+constexpr uint32_t BITS = N / 16;
constexpr uint32_t BITS = N / 8;//-

// a2lint: launch(block_dim=1, x=half[1024], y=half[1024])
extern "C" __global__ __aicore__ void keep_small(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> bits;
    pipe.InitBuffer(in, 1, N * sizeof(half));
    pipe.InitBuffer(out, 1, N * sizeof(half));
    pipe.InitBuffer(bits, BITS);
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, N);
    gy.SetGlobalBuffer((__gm__ half*)y, N);
    auto a = in.AllocTensor<half>();
    DataCopy(a, gx, N);
    in.EnQue(a);
    a = in.DeQue<half>();
    auto b = out.AllocTensor<half>();
    auto mask = bits.Get<uint8_t>();
//+    CompareScalar(mask, a, static_cast<half>(1.0f), CMPMODE::LT, N);  //~ operands
    CompareScalar(mask, a, static_cast<half>(1.0f), CMPMODE::LT, N);//-
    Select(b, mask, a, static_cast<half>(0.0f), SELMODE::VSEL_TENSOR_SCALAR_MODE, N);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<half>();
    DataCopy(gy, b, N);
    out.FreeTensor(b);
}
