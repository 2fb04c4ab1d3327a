// Rows of 20 floats, one after the other in UB: the second one starts at byte 80, between two blocks.
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr uint32_t PITCH = 20;
constexpr uint32_t PITCH = 24;//-

class RowScale {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, uint32_t rows)
    {
        gx_.SetGlobalBuffer((__gm__ float*)x, rows * 20);
        gy_.SetGlobalBuffer((__gm__ float*)y, rows * 20);
        pipe_.InitBuffer(in_, 1, rows * PITCH * sizeof(float));
        pipe_.InitBuffer(out_, 1, rows * PITCH * sizeof(float));
        auto a = in_.AllocTensor<float>();
        for (uint32_t r = 0; r < rows; r++) {
            DataCopyExtParams row{1, 20 * sizeof(float), 0, 0, 0};
//+            DataCopyPad(a[r * PITCH], gx_[r * 20], row, {true, 0, 4, 0.0f});  //~ operands
            DataCopyPad(a[r * PITCH], gx_[r * 20], row, {true, 0, 4, 0.0f});//-
        }
        in_.EnQue(a);
        a = in_.DeQue<float>();
        auto b = out_.AllocTensor<float>();
        Muls(b, a, 0.1f, rows * PITCH);
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.DeQue<float>();
        for (uint32_t r = 0; r < rows; r++) {
            DataCopyPad(gy_[r * 20], b[r * PITCH], {1, 20 * sizeof(float), 0, 0, 0});
        }
        out_.FreeTensor(b);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> gx_, gy_;
};

// a2lint: launch(block_dim=1, x=float[7, 20], y=float[7, 20], rows=7)
extern "C" __global__ __aicore__ void row_scale(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    RowScale op;
    op.Process(x, y, rows);
}
