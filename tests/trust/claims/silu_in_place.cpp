// Silu divides its source by what it has written to its destination: in place the result is 1 everywhere.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

template <bool IN_PLACE>
__aicore__ inline void Activate(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> both;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(both, 2 * WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> t = both.Get<float>();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Adds(t, a, 1.0f, WIDTH);
        in.FreeTensor(a);
        if constexpr (IN_PLACE) {
            Silu(t, t, WIDTH); //~ ERROR partial-overlap: before it has read its source
            Adds(b, t, 0.0f, WIDTH);
        } else {
            // The two halves of one buffer.
            Silu(t[WIDTH], t, WIDTH);
            Adds(b, t[WIDTH], 0.0f, WIDTH);
        }
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void in_place(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Activate<true>(x, y, rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void in_two_halves(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Activate<false>(x, y, rows);
}
