// Tiles of several rows, of which the last has fewer: all is stored if the output has the rows of the launch.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t ROWS = 8, WIDTH = 64;

class Rows {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        x_.SetGlobalBuffer((__gm__ float *)x);
        y_.SetGlobalBuffer((__gm__ float *)y);
        pipe_.InitBuffer(in_, 2, ROWS * WIDTH * sizeof(float));
        pipe_.InitBuffer(out_, 2, ROWS * WIDTH * sizeof(float));
    }
    __aicore__ inline void Tile(int32_t row, int32_t n, int32_t stored)
    {
        auto a = in_.AllocTensor<float>();
        DataCopy(a, x_[row * WIDTH], n * WIDTH);
        in_.EnQue(a);
        a = in_.DeQue<float>();
        auto b = out_.AllocTensor<float>();
        Exp(b, a, n * WIDTH);
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.DeQue<float>();
        DataCopy(y_[row * WIDTH], b, stored * WIDTH);
        out_.FreeTensor(b);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<float> x_, y_;
};

//~ VERDICT all_rows.ownership: holds
// a2lint: launch(block_dim=4, rows=30, x=float[1920], y=float[1920])
extern "C" __global__ __aicore__ void all_rows(GM_ADDR x, GM_ADDR y, int32_t rows)
{
    Rows op;
    op.Init(x, y);
    for (int32_t t = GetBlockIdx(); t < (rows + ROWS - 1) / ROWS; t += GetBlockNum()) {
        int32_t row = t * ROWS, n = rows - row < ROWS ? rows - row : ROWS;
        op.Tile(row, n, n);
    }
}

// The last row of each tile is left out.
//~ VERDICT last_row_left_out.ownership: open
extern "C" __global__ __aicore__ void last_row_left_out(GM_ADDR x, GM_ADDR y, int32_t rows)
{
    Rows op;
    op.Init(x, y);
    for (int32_t t = GetBlockIdx(); t < (rows + ROWS - 1) / ROWS; t += GetBlockNum()) {
        int32_t row = t * ROWS, n = rows - row < ROWS ? rows - row : ROWS;
        op.Tile(row, n, n > 1 ? n - 1 : n);
    }
}

// One tile too few: the rest of the rows has none.
//~ VERDICT rest_left_out.ownership: open
extern "C" __global__ __aicore__ void rest_left_out(GM_ADDR x, GM_ADDR y, int32_t rows)
{
    Rows op;
    op.Init(x, y);
    for (int32_t t = GetBlockIdx(); t < rows / ROWS; t += GetBlockNum()) {
        op.Tile(t * ROWS, ROWS, ROWS);
    }
}
