// Rows are added up in a buffer that holds whatever a kernel before it left.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
class ColumnSum {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols)
    {
        rows_ = rows;
        cols_ = cols;
        x_.SetGlobalBuffer((__gm__ T*)x);
        y_.SetGlobalBuffer((__gm__ T*)y);
        pipe_.InitBuffer(rowQueue_, 2, cols * sizeof(T));
        pipe_.InitBuffer(sumQueue_, 1, cols * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        auto sum = sumQueue_.template AllocTensor<T>();
        Duplicate(sum, static_cast<T>(0), cols_);//-
        for (uint32_t r = 0; r < rows_; r++) {
            auto row = rowQueue_.template AllocTensor<T>();
            DataCopy(row, x_[r * cols_], cols_);
            rowQueue_.EnQue(row);
            row = rowQueue_.template DeQue<T>();
//+            Add(sum, sum, row, cols_);  //~ initialised
            Add(sum, sum, row, cols_);//-
            rowQueue_.FreeTensor(row);
        }
        sumQueue_.EnQue(sum);
        sum = sumQueue_.template DeQue<T>();
        DataCopy(y_, sum, cols_);
        sumQueue_.FreeTensor(sum);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> rowQueue_;
    TQue<TPosition::VECOUT, 1> sumQueue_;
    GlobalTensor<T> x_, y_;
    uint32_t rows_, cols_;
};

// a2lint: launch(block_dim=1, x=int[9, 64], y=int[64], rows=9, cols=64)
extern "C" __global__ __aicore__ void sum_columns(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols)
{
    ColumnSum<int32_t> op;
    op.Init(x, y, rows, cols);
    op.Process();
}
