// y = half(float(x) + bias) for rows of half and a bias of float that is loaded once.
#include "kernel_operator.h"
using namespace AscendC;

class BiasMixed {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, GM_ADDR y, uint32_t rows, uint32_t cols)
    {
        rows_ = rows;
        cols_ = cols;
        x_.SetGlobalBuffer((__gm__ half*)x, rows * cols);
        b_.SetGlobalBuffer((__gm__ float*)bias, cols);
        y_.SetGlobalBuffer((__gm__ half*)y, rows * cols);
        pipe_.InitBuffer(xq_, 2, cols * sizeof(half));
        pipe_.InitBuffer(bq_, 1, cols * sizeof(float));
        pipe_.InitBuffer(yq_, 2, cols * sizeof(half));
        pipe_.InitBuffer(f_, cols * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<float> bias = bq_.AllocTensor<float>();
        DataCopy(bias, b_, cols_);
        bq_.EnQue(bias);
        bias = bq_.DeQue<float>();
        for (uint32_t r = GetBlockIdx(); r < rows_; r += GetBlockNum()) {
            LocalTensor<half> x = xq_.AllocTensor<half>();
            DataCopy(x, x_[r * cols_], cols_);
            xq_.EnQue(x);
            LocalTensor<half> in = xq_.DeQue<half>();
            LocalTensor<float> f = f_.Get<float>();
            Cast(f, in, RoundMode::CAST_NONE, cols_);
            xq_.FreeTensor(in);
            Add(f, f, bias, cols_);
            LocalTensor<half> y = yq_.AllocTensor<half>();
            Cast(y, f, RoundMode::CAST_RINT, cols_);
            yq_.EnQue(y);
            LocalTensor<half> out = yq_.DeQue<half>();
            DataCopy(y_[r * cols_], out, cols_);
            yq_.FreeTensor(out);
        }
        bq_.FreeTensor(bias);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> xq_, bq_;
    TQue<TPosition::VECOUT, 1> yq_;
    TBuf<TPosition::VECCALC> f_;
    GlobalTensor<half> x_, y_;
    GlobalTensor<float> b_;
    uint32_t rows_, cols_;
};

// a2lint: launch(block_dim=2, x=half[5, 128], bias=float[128], y=half[5, 128], rows=5, cols=128)
extern "C" __global__ __aicore__ void bias_mixed(GM_ADDR x, GM_ADDR bias, GM_ADDR y, uint32_t rows, uint32_t cols)
{
    BiasMixed op;
    op.Init(x, bias, y, rows, cols);
    op.Process();
}
