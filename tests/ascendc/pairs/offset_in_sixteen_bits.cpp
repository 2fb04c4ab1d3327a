// The offset of a row is kept in 16 bits: from the row with element 65,536 on it is another one.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint16_t PITCH = 1024;

class RowCopy {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint16_t rows)
    {
        rows_ = rows;
        x_.SetGlobalBuffer((__gm__ int16_t*)x, rows * PITCH);
        y_.SetGlobalBuffer((__gm__ int16_t*)y, rows * PITCH);
        pipe_.InitBuffer(queue_, 2, PITCH * sizeof(int16_t));
    }
    __aicore__ inline void Process()
    {
        for (uint16_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) {
//+            const uint16_t offset = row * PITCH;
            const uint32_t offset = row * PITCH;//-
            auto t = queue_.AllocTensor<int16_t>();
//+            DataCopy(t, x_[offset], PITCH);  //~ scalars
            DataCopy(t, x_[offset], PITCH);//-
            queue_.EnQue(t);
            t = queue_.DeQue<int16_t>();
            DataCopy(y_[offset], t, PITCH);
            queue_.FreeTensor(t);
        }
    }

private:
    TPipe pipe_;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue_;
    GlobalTensor<int16_t> x_, y_;
    uint16_t rows_;
};

// a2lint: launch(block_dim=8, x=int16[66, 1024], y=int16[66, 1024], rows=66)
extern "C" __global__ __aicore__ void row_copy(GM_ADDR x, GM_ADDR y, uint16_t rows)
{
    RowCopy op;
    op.Init(x, y, rows);
    op.Process();
}
