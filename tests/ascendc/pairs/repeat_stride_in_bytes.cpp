// Strides of repeats are blocks of 32 bytes: the row of 512 bytes is 16 of them, and 512 does not fit into eight bits.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 16;
constexpr uint32_t COLS = 128;

// a2lint: launch(block_dim=1, x=float[16, 128], bias=float[64], y=float[16, 128])
extern "C" __global__ __aicore__ void bias_of_columns(GM_ADDR x, GM_ADDR bias, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in, bias_in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, ROWS * COLS * sizeof(float));
    pipe.InitBuffer(bias_in, 1, 64 * sizeof(float));
    pipe.InitBuffer(out, 1, ROWS * COLS * sizeof(float));
    GlobalTensor<float> gx, gb, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, ROWS * COLS);
    gb.SetGlobalBuffer((__gm__ float*)bias, 64);
    gy.SetGlobalBuffer((__gm__ float*)y, ROWS * COLS);
    auto a = in.AllocTensor<float>();
    auto b = bias_in.AllocTensor<float>();
    DataCopy(a, gx, ROWS * COLS);
    DataCopy(b, gb, 64);
    in.EnQue(a);
    bias_in.EnQue(b);
    a = in.DeQue<float>();
    b = bias_in.DeQue<float>();
    auto c = out.AllocTensor<float>();
    BinaryRepeatParams params;
//+    params.dstRepStride = COLS * sizeof(float);
//+    params.src0RepStride = COLS * sizeof(float);
    params.dstRepStride = COLS * sizeof(float) / 32;//-
    params.src0RepStride = COLS * sizeof(float) / 32;//-
    params.src1RepStride = 0;
    for (uint32_t column = 0; column < COLS; column += 64) {
        Add(c[column], a[column], b, 64, ROWS, params);
    }
    in.FreeTensor(a);
    bias_in.FreeTensor(b);
    out.EnQue(c);
    c = out.DeQue<float>();
//+    DataCopy(gy, c, ROWS * COLS);  //~ scalars
    DataCopy(gy, c, ROWS * COLS);//-
    out.FreeTensor(c);
}
