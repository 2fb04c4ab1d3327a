// The tensor goes back to the queue before its last reader: the next load may overtake it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t W = 128;

class Blend {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows)
    {
        rows_ = rows;
        gx_.SetGlobalBuffer((__gm__ float*)x, rows * W);
        gy_.SetGlobalBuffer((__gm__ float*)y, rows * W);
        pipe_.InitBuffer(in_, 1, W * sizeof(float));
        pipe_.InitBuffer(out_, 1, W * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t r = 0; r < rows_; r++) {
            auto x = in_.AllocTensor<float>();
            DataCopy(x, gx_[r * W], W);
            in_.EnQue(x);
            auto v = in_.DeQue<float>();
            auto y = out_.AllocTensor<float>();
            Exp(y, v, W);
            Add(y, y, v, W);//-
            in_.FreeTensor(v);
//+            Add(y, y, v, W);  //~ order
            out_.EnQue(y);
            y = out_.DeQue<float>();
            DataCopy(gy_[r * W], y, W);
            out_.FreeTensor(y);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> gx_, gy_;
    uint32_t rows_;
};

// a2lint: launch(block_dim=1, x=float[6, 128], y=float[6, 128], rows=6)
extern "C" __global__ __aicore__ void blend(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Blend op;
    op.Init(x, y, rows);
    op.Process();
}
