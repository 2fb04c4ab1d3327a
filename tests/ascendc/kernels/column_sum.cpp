// y[c] = sum over r of x[r, c]; each core owns a strip of columns.
#include "kernel_operator.h"

struct ColumnSumTiling {
    int32_t rows;
    int32_t cols;
    int32_t strip;  // columns of one core, a multiple of 8
};

class ColumnSum {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, ColumnSumTiling t, AscendC::TPipe& pipe)
    {
        t_ = t;
        first_ = AscendC::GetBlockIdx() * t.strip;
        x_.SetGlobalBuffer((__gm__ float*)x, t.rows * t.cols);
        y_.SetGlobalBuffer((__gm__ float*)y, t.cols);
        pipe.InitBuffer(rows_, 2, t.strip * sizeof(float));
        pipe.InitBuffer(sum_, 1, t.strip * sizeof(float));
    }

    __aicore__ inline void Run()
    {
        AscendC::LocalTensor<float> sum = sum_.AllocTensor<float>();
        AscendC::Duplicate(sum, 0.0f, t_.strip);
        for (int32_t r = 0; r < t_.rows; ++r) {
            Load(r);
            AscendC::LocalTensor<float> row = rows_.DeQue<float>();
            AscendC::Add(sum, sum, row, t_.strip);
            rows_.FreeTensor(row);
        }
        sum_.EnQue(sum);
        AscendC::LocalTensor<float> done = sum_.DeQue<float>();
        AscendC::DataCopy(y_[first_], done, t_.strip);
        sum_.FreeTensor(done);
    }

private:
    __aicore__ inline void Load(int32_t r)
    {
        AscendC::LocalTensor<float> row = rows_.AllocTensor<float>();
        AscendC::DataCopy(row, x_[r * t_.cols + first_], t_.strip);
        rows_.EnQue(row);
    }

    ColumnSumTiling t_;
    int32_t first_;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> rows_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> sum_;
    AscendC::GlobalTensor<float> x_, y_;
};

// a2lint: launch(block_dim=4, x=float[24, 256], y=float[256], t.rows=24, t.cols=256, t.strip=64)
extern "C" __global__ __aicore__ void column_sum(GM_ADDR x, GM_ADDR y, ColumnSumTiling t)
{
    AscendC::TPipe pipe;
    ColumnSum op;
    op.Init(x, y, t, pipe);
    op.Run();
}
