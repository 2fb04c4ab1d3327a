// Bounds values from above or below: one kernel for each tiling key.
// mistake: operands: AscendC::Mins(y, x, bound, tile_); => AscendC::Mins(y, x, bound, tile_ * 2);
#include "kernel_operator.h"

template <typename T, bool FROM_ABOVE>
class Clip {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t share, uint32_t tile)
    {
        share_ = share;
        tile_ = tile;
        x_.SetGlobalBuffer((__gm__ T *)x + share * AscendC::GetBlockIdx(), share);
        y_.SetGlobalBuffer((__gm__ T *)y + share * AscendC::GetBlockIdx(), share);
        pipe_.InitBuffer(in_, 2, tile * sizeof(T));
        pipe_.InitBuffer(out_, 2, tile * sizeof(T));
    }
    __aicore__ inline void Process(T bound)
    {
        for (uint32_t at = 0; at < share_; at += tile_) {
            AscendC::LocalTensor<T> x = in_.template AllocTensor<T>();
            AscendC::DataCopy(x, x_[at], tile_);
            in_.EnQue(x);
            x = in_.template DeQue<T>();
            AscendC::LocalTensor<T> y = out_.template AllocTensor<T>();
            if constexpr (FROM_ABOVE) {
                AscendC::Mins(y, x, bound, tile_);
            } else {
                AscendC::Maxs(y, x, bound, tile_);
            }
            in_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.template DeQue<T>();
            AscendC::DataCopy(y_[at], y, tile_);
            out_.FreeTensor(y);
        }
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::QuePosition::VECIN, 2> in_;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 2> out_;
    AscendC::GlobalTensor<T> x_, y_;
    uint32_t share_;
    uint32_t tile_;
};

extern "C" __global__ __aicore__ void clip_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    if (TILING_KEY_IS(1)) {
        Clip<float, true> op;
        op.Init(x, y, data.share, data.tile);
        op.Process(data.bound);
    } else if (TILING_KEY_IS(2)) {
        Clip<float, false> op;
        op.Init(x, y, data.share, data.tile);
        op.Process(data.bound);
    }
}
