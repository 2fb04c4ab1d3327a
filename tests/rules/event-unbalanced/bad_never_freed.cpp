// The third `AllocTensor` finds no free buffer, and a scalar read is where the kernel stops.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, rows=8, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> work, result;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 2, 256);
    pipe.InitBuffer(work, 256);
    pipe.InitBuffer(result, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
        auto a = in.AllocTensor<float>();  //~ ERROR event-unbalanced: `AllocTensor` without `FreeTensor`
        DataCopy(a, gx[r * 64], 64);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        auto w = work.Get<float>();
        auto m = result.Get<float>();
        ReduceSum(m, a, w, 64);
        float s = m.GetValue(0);
        Muls(b, a, s, 64);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy[r * 64], b, 64);
        out.FreeTensor(b);
    }
}
