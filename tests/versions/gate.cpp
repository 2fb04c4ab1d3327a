// y = x / (1 + exp(-1.5 x)), one row of 256 floats after the other.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t COLS = 256;

// a2lint: launch(block_dim=4, src=float[10, 256], dst=float[10, 256], rows=10)
extern "C" __global__ __aicore__ void gate_rows(GM_ADDR src, GM_ADDR dst, int32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)src);
    to.SetGlobalBuffer((__gm__ float *)dst);
    pipe.InitBuffer(in, 2, COLS * sizeof(float));
    pipe.InitBuffer(out, 2, COLS * sizeof(float));
    for (int32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto x = in.AllocTensor<float>();
        DataCopy(x, from[row * COLS], COLS);
        in.EnQue(x);
        x = in.DeQue<float>();
        auto y = out.AllocTensor<float>();
        Muls(y, x, -1.5f, COLS);
        Exp(y, y, COLS);
        Adds(y, y, 1.0f, COLS);
        Div(y, x, y, COLS);
        in.FreeTensor(x);
        out.EnQue(y);
        y = out.DeQue<float>();
        DataCopy(to[row * COLS], y, COLS);
        out.FreeTensor(y);
    }
}
