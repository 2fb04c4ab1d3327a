// A mask of two words selects by bits: of 64 floats the first word has all, and with its lower half the rest stays.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void masked_exp(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 512);
    pipe.InitBuffer(out, 1, 512);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 128);
    gy.SetGlobalBuffer((__gm__ float*)y, 128);
    auto a = in.AllocTensor<float>();
    DataCopy(a, gx, 128);
    in.EnQue(a);
    a = in.DeQue<float>();
    auto b = out.AllocTensor<float>();
//+    uint64_t mask[2] = {UINT32_MAX, UINT32_MAX};
    uint64_t mask[2] = {UINT64_MAX, 0};//-
    Exp(b, a, mask, 2, {1, 1, 8, 8});
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
//+    DataCopy(gy, b, 128);  //~ initialised
    DataCopy(gy, b, 128);//-
    out.FreeTensor(b);
}
