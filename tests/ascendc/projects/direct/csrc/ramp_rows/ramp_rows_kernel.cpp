// Bounds values from below by a number of the host.
// mistake: order: AscendC::Maxs(y, x, static_cast<half>(least_), columns_); => AscendC::Maxs(y, x, static_cast<half>(least_), columns_); AscendC::DataCopy(y_, y, columns_);
#include "kernel_operator.h"
#include "tiling/ramp_rows_tiling.h"

class RampRows {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const host::RampRowsTiling &tiling)
    {
        rows_ = tiling.rows / AscendC::GetBlockNum();
        columns_ = tiling.columns;
        uint32_t start = rows_ * columns_ * AscendC::GetBlockIdx();
        x_.SetGlobalBuffer((__gm__ half *)x + start, rows_ * columns_);
        y_.SetGlobalBuffer((__gm__ half *)y + start, rows_ * columns_);
        pipe_.InitBuffer(in_, 1, columns_ * sizeof(half));
        pipe_.InitBuffer(out_, 1, columns_ * sizeof(half));
        least_ = tiling.least;
    }
    __aicore__ inline void Process()
    {
        for (uint32_t row = 0; row < rows_; row++) {
            AscendC::LocalTensor<half> x = in_.AllocTensor<half>();
            AscendC::DataCopy(x, x_[row * columns_], columns_);
            in_.EnQue(x);
            x = in_.DeQue<half>();
            AscendC::LocalTensor<half> y = out_.AllocTensor<half>();
            AscendC::Maxs(y, x, static_cast<half>(least_), columns_);
            in_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.DeQue<half>();
            AscendC::DataCopy(y_[row * columns_], y, columns_);
            out_.FreeTensor(y);
        }
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::QuePosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 1> out_;
    AscendC::GlobalTensor<half> x_, y_;
    uint32_t rows_;
    uint32_t columns_;
    float least_;
};

extern "C" __global__ __aicore__ void ramp_rows(GM_ADDR x, GM_ADDR y, host::RampRowsTiling tiling)
{
    RampRows op;
    op.Init(x, y, tiling);
    op.Process();
}
