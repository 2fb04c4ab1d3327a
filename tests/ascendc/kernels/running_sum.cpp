// y[r, :] = x[0, :] + ... + x[r, :]: rows are taken in order, and the sum so far stays in UB.
#include "kernel_operator.h"

template <typename T>
class RunningSum {
public:
    __aicore__ inline RunningSum(GM_ADDR x, GM_ADDR y, int rows, int cols, int mine)
        : rows_(rows), cols_(cols), mine_(mine)
    {
        const int first = static_cast<int>(AscendC::GetBlockIdx()) * mine;
        x_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x) + first);
        y_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y) + first);
        pipe_.InitBuffer(in_, 2, mine * sizeof(T));
        pipe_.InitBuffer(out_, 2, mine * sizeof(T));
        pipe_.InitBuffer(sum_, mine * sizeof(T));
    }

    __aicore__ inline void operator()()
    {
        auto sum = sum_.template Get<T>();
        AscendC::Duplicate(sum, static_cast<T>(0), mine_);
        int r = 0;
        while (r < rows_) {
            auto x = in_.template AllocTensor<T>();
            AscendC::DataCopy(x, x_[r * cols_], mine_);
            in_.EnQue(x);
            auto row = in_.template DeQue<T>();
            AscendC::Add(sum, sum, row, mine_);
            in_.FreeTensor(row);
            auto y = out_.template AllocTensor<T>();
            AscendC::Adds(y, sum, static_cast<T>(0), mine_);
            out_.EnQue(y);
            auto done = out_.template DeQue<T>();
            AscendC::DataCopy(y_[r * cols_], done, mine_);
            out_.FreeTensor(done);
            ++r;
        }
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> sum_;
    AscendC::GlobalTensor<T> x_, y_;
    int rows_, cols_, mine_;
};

// a2lint: launch(block_dim=2, x=int[9, 128], y=int[9, 128], rows=9, cols=128, mine=64)
extern "C" __global__ __aicore__ void running_sum(GM_ADDR x, GM_ADDR y, int rows, int cols, int mine)
{
    RunningSum<int32_t> op(x, y, rows, cols, mine);
    op();
}
