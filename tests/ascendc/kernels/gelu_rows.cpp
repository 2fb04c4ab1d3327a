// y = x * sigmoid(1.702 x), the fast form of GELU, one row of a matrix after the other.
#include "kernel_operator.h"

namespace ops {

template <typename T>
class FastGelu {
    static constexpr uint8_t DEPTH = 2;

    AscendC::TPipe* pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::GlobalTensor<T> src_, dst_;
    int64_t rows_, cols_;

public:
    __aicore__ inline explicit FastGelu(AscendC::TPipe* pipe) : pipe_(pipe) {}

    __aicore__ inline void Init(__gm__ uint8_t* x, __gm__ uint8_t* y, int64_t rows, int64_t cols)
    {
        rows_ = rows;
        cols_ = cols;
        src_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x));
        dst_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y));
        pipe_->InitBuffer(in_, DEPTH, cols * sizeof(T));
        pipe_->InitBuffer(out_, DEPTH, cols * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        for (int64_t row = AscendC::GetBlockIdx(); row < rows_; row += AscendC::GetBlockNum()) {
            auto x = in_.template AllocTensor<T>();
            AscendC::DataCopy(x, src_[row * cols_], cols_);
            in_.EnQue(x);
            x = in_.template DeQue<T>();
            auto y = out_.template AllocTensor<T>();
            Activate(y, x);
            in_.FreeTensor(x);
            out_.template EnQue<T>(y);
            y = out_.template DeQue<T>();
            AscendC::DataCopy(dst_[row * cols_], y, cols_);
            out_.FreeTensor(y);
        }
    }

private:
    __aicore__ inline void Activate(const AscendC::LocalTensor<T>& y, const AscendC::LocalTensor<T>& x)
    {
        const int32_t n = static_cast<int32_t>(cols_);
        AscendC::Muls(y, x, static_cast<T>(-1.702f), n);
        AscendC::Exp(y, y, n);
        AscendC::Adds(y, y, static_cast<T>(1.0f), n);
        AscendC::Div(y, x, y, n);
    }
};

}  // namespace ops

// a2lint: launch(block_dim=4, x=float[10, 256], y=float[10, 256], rows=10, cols=256)
extern "C" __global__ __aicore__ void gelu_rows(GM_ADDR x, GM_ADDR y, int64_t rows, int64_t cols)
{
    AscendC::TPipe pipe;
    ops::FastGelu<float> op(&pipe);
    op.Init(x, y, rows, cols);
    op.Process();
}
