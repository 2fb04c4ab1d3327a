// And takes 16-bit integers: wider ones are reinterpreted.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=int[128], m=int[128], y=int[128])
extern "C" __global__ __aicore__ void mask_bits(GM_ADDR x, GM_ADDR m, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in, maskIn;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 512);
    pipe.InitBuffer(maskIn, 1, 512);
    pipe.InitBuffer(out, 1, 512);
    GlobalTensor<int32_t> gx, gm, gy;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 128);
    gm.SetGlobalBuffer((__gm__ int32_t*)m, 128);
    gy.SetGlobalBuffer((__gm__ int32_t*)y, 128);
    auto a = in.AllocTensor<int32_t>();
    auto b = maskIn.AllocTensor<int32_t>();
    DataCopy(a, gx, 128);
    DataCopy(b, gm, 128);
    in.EnQue(a);
    maskIn.EnQue(b);
    a = in.DeQue<int32_t>();
    b = maskIn.DeQue<int32_t>();
    auto c = out.AllocTensor<int32_t>();
//+    And(c, a, b, 128);  //~ operands
    And(c.ReinterpretCast<int16_t>(), a.ReinterpretCast<int16_t>(), b.ReinterpretCast<int16_t>(), 256);//-
    in.FreeTensor(a);
    maskIn.FreeTensor(b);
    out.EnQue(c);
    c = out.DeQue<int32_t>();
    DataCopy(gy, c, 128);
    out.FreeTensor(c);
}
