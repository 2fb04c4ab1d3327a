// Cast from int32 to half multiplies by the scale that SetDeqScale sets: without it, the kernel before decides.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

// a2lint: launch(block_dim=2, x=int[320], y=half[320], rows=5)
extern "C" __global__ __aicore__ void never_set(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(int32_t));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(half));
    GlobalTensor<int32_t> xGm;
    GlobalTensor<half> yGm;
    xGm.SetGlobalBuffer((__gm__ int32_t *)x);
    yGm.SetGlobalBuffer((__gm__ half *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<int32_t> a = in.AllocTensor<int32_t>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<int32_t>();
        LocalTensor<half> b = out.AllocTensor<half>();
        Cast(b, a, RoundMode::CAST_NONE, WIDTH); //~ PARTLY: is followed only after `SetDeqScale(1)`
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<half>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
}
