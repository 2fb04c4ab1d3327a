// One core clears the result, all cores meet, and then all add to it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 128;

class ColumnTotals {
public:
    __aicore__ inline ColumnTotals(GM_ADDR src, GM_ADDR dst, uint32_t rows, TPipe *pipe) : rows_(rows)
    {
        src_.SetGlobalBuffer((__gm__ float *)src, rows * COLS);
        dst_.SetGlobalBuffer((__gm__ float *)dst, COLS);
        pipe->InitBuffer(rowsIn_, 2, COLS * sizeof(float));
        pipe->InitBuffer(sumOut_, 1, COLS * sizeof(float));
        pipe->InitBuffer(clearOut_, 1, COLS * sizeof(float));
    }

    __aicore__ inline void Clear()
    {
        LocalTensor<float> nothing = clearOut_.AllocTensor<float>();
        Duplicate(nothing, 0.0f, COLS);
        clearOut_.EnQue(nothing);
        nothing = clearOut_.DeQue<float>();
        DataCopy(dst_, nothing, COLS);
        clearOut_.FreeTensor(nothing);
    }

    __aicore__ inline void AddShare()
    {
        LocalTensor<float> sum = sumOut_.AllocTensor<float>();
        Duplicate(sum, 0.0f, COLS);
        for (uint32_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) {
            LocalTensor<float> one = rowsIn_.AllocTensor<float>();
            DataCopy(one, src_[row * COLS], COLS);
            rowsIn_.EnQue(one);
            one = rowsIn_.DeQue<float>();
            Add(sum, sum, one, COLS);
            rowsIn_.FreeTensor(one);
        }
        sumOut_.EnQue(sum);
        sum = sumOut_.DeQue<float>();
        SetAtomicAdd<float>();
        DataCopy(dst_, sum, COLS);
        SetAtomicNone();
        sumOut_.FreeTensor(sum);
    }

private:
    GlobalTensor<float> src_, dst_;
    TQue<TPosition::VECIN, 1> rowsIn_;
    TQue<TPosition::VECOUT, 1> sumOut_, clearOut_;
    uint32_t rows_;
};

//~ VERDICT totals_after_a_meeting.order: proved-if
// a2lint: launch(block_dim=4, src=float[10, 128], dst=float[128], rows=10)
extern "C" __global__ __aicore__ void totals_after_a_meeting(GM_ADDR src, GM_ADDR dst, uint32_t rows)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    TPipe pipe;
    ColumnTotals op(src, dst, rows, &pipe);
    if (GetBlockIdx() == 0) {
        op.Clear();
    }
    SyncAll();
    op.AddShare();
}
