// Rows are divided among cores, and what the division leaves over is done by none of them.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t D = 96;

class Normalise {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows)
    {
        const uint32_t cores = GetBlockNum();
        const uint32_t core = GetBlockIdx();
        count_ = rows / cores;
//+        first_ = core * count_;
        const uint32_t left = rows % cores;//-
        first_ = core * count_ + (core < left ? core : left);//-
        count_ += core < left ? 1 : 0;//-
        x_.SetGlobalBuffer((__gm__ float*)x);
        y_.SetGlobalBuffer((__gm__ float*)y);
        pipe_.InitBuffer(in_, 1, D * sizeof(float));
        pipe_.InitBuffer(out_, 1, D * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t r = first_; r < first_ + count_; r++) {
            auto a = in_.AllocTensor<float>();
            DataCopy(a, x_[r * D], D);
            in_.EnQue(a);
            a = in_.DeQue<float>();
            auto b = out_.AllocTensor<float>();
            Muls(b, a, 1.0f / D, D);
            in_.FreeTensor(a);
            out_.EnQue(b);
            b = out_.DeQue<float>();
//+            DataCopy(y_[r * D], b, D);  //~ ownership
            DataCopy(y_[r * D], b, D);//-
            out_.FreeTensor(b);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> x_, y_;
    uint32_t first_, count_;
};

// a2lint: launch(block_dim=4, x=float[10, 96], y=float[10, 96], rows=10)
extern "C" __global__ __aicore__ void normalise(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Normalise op;
    op.Init(x, y, rows);
    op.Process();
}
