// index[r] = position of the largest element of row r, value[r] = that element.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t COLS = 128;
constexpr int32_t ROWS_PER_CORE = 8;

class ArgMax {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR value, GM_ADDR index)
    {
        const int32_t first = GetBlockIdx() * ROWS_PER_CORE;
        x_.SetGlobalBuffer((__gm__ float*)x + first * COLS, ROWS_PER_CORE * COLS);
        value_.SetGlobalBuffer((__gm__ float*)value + first, ROWS_PER_CORE);
        index_.SetGlobalBuffer((__gm__ int32_t*)index + first, ROWS_PER_CORE);
        pipe_.InitBuffer(rows_, 2, COLS * sizeof(float));
        pipe_.InitBuffer(work_, COLS * sizeof(float));
        pipe_.InitBuffer(pair_, 32);
        pipe_.InitBuffer(valueOut_, 1, ROWS_PER_CORE * sizeof(float));
        pipe_.InitBuffer(indexOut_, 1, ROWS_PER_CORE * sizeof(int32_t));
    }
    __aicore__ inline void Process()
    {
        auto values = valueOut_.AllocTensor<float>();
        auto indices = indexOut_.AllocTensor<int32_t>();
        auto work = work_.Get<float>();
        auto pair = pair_.Get<float>();
        for (int32_t r = 0; r < ROWS_PER_CORE; r++) {
            auto row = rows_.AllocTensor<float>();
            DataCopy(row, x_[r * COLS], COLS);
            rows_.EnQue(row);
            row = rows_.DeQue<float>();
            ReduceMax(pair, row, work, COLS, true);
            rows_.FreeTensor(row);
            values.SetValue(r, pair.GetValue(0));
            indices.SetValue(r, pair.ReinterpretCast<int32_t>().GetValue(1));
        }
        valueOut_.EnQue(values);
        indexOut_.EnQue(indices);
        values = valueOut_.DeQue<float>();
        indices = indexOut_.DeQue<int32_t>();
        SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
        DataCopy(value_, values, ROWS_PER_CORE);
        DataCopy(index_, indices, ROWS_PER_CORE);
        valueOut_.FreeTensor(values);
        indexOut_.FreeTensor(indices);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> rows_;
    TQue<TPosition::VECOUT, 1> valueOut_, indexOut_;
    TBuf<TPosition::VECCALC> work_, pair_;
    GlobalTensor<float> x_, value_;
    GlobalTensor<int32_t> index_;
};

// a2lint: launch(block_dim=2, x=float[16, 128], value=float[16], index=int[16])
extern "C" __global__ __aicore__ void arg_max(GM_ADDR x, GM_ADDR value, GM_ADDR index)
{
    ArgMax op;
    op.Init(x, value, index);
    op.Process();
}
