// Rows are reduced to scalars, which the scalar unit reads between vector instructions.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t WIDTH = 512;

class RowSoftmax {
public:
    __aicore__ inline RowSoftmax(GM_ADDR src, GM_ADDR dst, uint32_t rows) : rows_(rows)
    {
        src_.SetGlobalBuffer((__gm__ float *)src, rows * WIDTH);
        dst_.SetGlobalBuffer((__gm__ float *)dst, rows * WIDTH);
        pipe_.InitBuffer(in_, 2, WIDTH * sizeof(float));
        pipe_.InitBuffer(out_, 2, WIDTH * sizeof(float));
        pipe_.InitBuffer(work_, WIDTH * sizeof(float));
        pipe_.InitBuffer(one_, 32);
    }
    __aicore__ inline void Run()
    {
        for (uint32_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) {
            Fetch(row);
            Normalise();
            Emit(row);
        }
    }

private:
    __aicore__ inline void Fetch(uint32_t row)
    {
        auto t = in_.AllocTensor<float>();
        DataCopy(t, src_[row * WIDTH], WIDTH);
        in_.EnQue(t);
    }
    __aicore__ inline void Normalise()
    {
        auto x = in_.DeQue<float>();
        auto y = out_.AllocTensor<float>();
        auto tmp = work_.Get<float>();
        auto one = one_.Get<float>();
        ReduceMax(one, x, tmp, WIDTH);
        const float top = one.GetValue(0);
        Adds(y, x, -top, WIDTH);
        in_.FreeTensor(x);
        Exp(y, y, WIDTH);
        ReduceSum(one, y, tmp, WIDTH);
        const float scale = 1.0f / one.GetValue(0);
        Muls(y, y, scale, WIDTH);
        out_.EnQue(y);
    }
    __aicore__ inline void Emit(uint32_t row)
    {
        auto y = out_.DeQue<float>();
        DataCopy(dst_[row * WIDTH], y, WIDTH);
        out_.FreeTensor(y);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> work_, one_;
    GlobalTensor<float> src_, dst_;
    uint32_t rows_;
};

// a2lint: launch(block_dim=4, src=float[10, 512], dst=float[10, 512], rows=10)
extern "C" __global__ __aicore__ void softmax_rows(GM_ADDR src, GM_ADDR dst, uint32_t rows)
{
    RowSoftmax op(src, dst, rows);
    op.Run();
}
