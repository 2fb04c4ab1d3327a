// y[r, :] = x[r, :] - max(x[r, :]), eight rows of 64 at once: one repeat is one row.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t ROWS = 8;
constexpr int32_t COLS = 64;
constexpr int32_t TILE = ROWS * COLS;

class RowMaxShift {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, int32_t tiles)
    {
        tiles_ = tiles;
        x_.SetGlobalBuffer((__gm__ float*)x, tiles * TILE);
        y_.SetGlobalBuffer((__gm__ float*)y, tiles * TILE);
        pipe_.InitBuffer(in_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(out_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(max_, ROWS * sizeof(float));
        pipe_.InitBuffer(wide_, ROWS * 32);
    }
    __aicore__ inline void Process()
    {
        for (int32_t i = GetBlockIdx(); i < tiles_; i += GetBlockNum()) {
            auto x = in_.AllocTensor<float>();
            DataCopy(x, x_[i * TILE], TILE);
            in_.EnQue(x);
            x = in_.DeQue<float>();
            auto y = out_.AllocTensor<float>();
            auto m = max_.Get<float>();
            auto w = wide_.Get<float>();
            WholeReduceMax(m, x, COLS, ROWS, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
            Brcb(w, m, 1, {1, 8});
            // The row stands in eight blocks, its maximum in one block that each of them takes again.
            Sub(y, x, w, static_cast<uint64_t>(COLS), ROWS, {1, 1, 0, 8, 8, 1});
            in_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.DeQue<float>();
            DataCopy(y_[i * TILE], y, TILE);
            out_.FreeTensor(y);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> max_, wide_;
    GlobalTensor<float> x_, y_;
    int32_t tiles_;
};

// a2lint: launch(block_dim=2, x=float[40, 64], y=float[40, 64], tiles=5)
extern "C" __global__ __aicore__ void row_max_shift(GM_ADDR x, GM_ADDR y, int32_t tiles)
{
    RowMaxShift op;
    op.Init(x, y, tiles);
    op.Process();
}
