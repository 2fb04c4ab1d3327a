// Rows are filled up with a value whose exponential is 0.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 100;
constexpr uint32_t WIDTH = 104;

// a2lint: launch(block_dim=4, rows=10, x=float[1000], y=float[1000])
extern "C" __global__ __aicore__ void soft(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    TBuf<TPosition::VECCALC> work, result;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(work, WIDTH * sizeof(float));
    pipe.InitBuffer(result, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[r * COLS], {1, COLS * sizeof(float), 0, 0, 0}, {true, 0, WIDTH - COLS, -1.0e30f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        auto w = work.Get<float>();
        auto m = result.Get<float>();
        ReduceMax(m, a, w, COLS, false);
        float top = m.GetValue(0);
        Adds(b, a, -top, WIDTH);
        Exp(b, b, WIDTH);
        ReduceSum(m, b, w, WIDTH);
        float sum = m.GetValue(0);
        Muls(b, b, 1.0f / sum, WIDTH);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopyPad(gy[r * COLS], b, {1, COLS * sizeof(float), 0, 0, 0});
        out.FreeTensor(b);
    }
}
