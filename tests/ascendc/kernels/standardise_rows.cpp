// Each row minus its smallest element, over its range; helpers in a header of its own move the rows.
#include "common/rows.h"

using namespace AscendC;

namespace {

class Standardise {
    using InQueue = TQue<TPosition::VECIN, 1>;
    using OutQueue = TQue<TPosition::VECOUT, 1>;

public:
    __aicore__ inline Standardise(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols)
        : cols_(cols), share_(common::ShareOf(rows))
    {
        x_.SetGlobalBuffer((__gm__ float*)x + share_.first * cols, share_.count * cols);
        y_.SetGlobalBuffer((__gm__ float*)y + share_.first * cols, share_.count * cols);
        pipe_.InitBuffer(in_, 2, cols * sizeof(float));
        pipe_.InitBuffer(out_, 2, cols * sizeof(float));
        pipe_.InitBuffer(work_, cols * sizeof(float));
        pipe_.InitBuffer(ends_, 64);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t r = 0; r < share_.count; r++) {
            common::LoadRow<float>(in_, x_[r * cols_], cols_);
            Row();
            common::StoreRow<float>(out_, y_[r * cols_], cols_);
        }
    }

private:
    __aicore__ inline void Row()
    {
        auto x = in_.DeQue<float>();
        auto y = out_.AllocTensor<float>();
        auto work = work_.Get<float>();
        auto low = ends_.GetWithOffset<float>(8, 0);
        auto high = ends_.GetWithOffset<float>(8, 32);
        ReduceMin(low, x, work, cols_);
        ReduceMax(high, x, work, cols_);
        const float least = low.GetValue(0);
        const float range = high.GetValue(0) - least;
        Adds(y, x, -least, cols_);
        Muls(y, y, 1.0f / range, cols_);
        in_.FreeTensor(x);
        out_.EnQue(y);
    }

    TPipe pipe_;
    InQueue in_;
    OutQueue out_;
    TBuf<TPosition::VECCALC> work_, ends_;
    GlobalTensor<float> x_, y_;
    uint32_t cols_;
    common::Share share_;
};

}  // namespace

// a2lint: launch(block_dim=3, x=float[8, 130], y=float[8, 130], rows=8, cols=130)
extern "C" __global__ __aicore__ void standardise_rows(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t cols)
{
    Standardise op(x, y, rows, cols);
    op.Process();
}
