// The tiling of an operator project: a struct that is read out of global memory, and a launch of its numbers.
#include "kernel_operator.h"

struct ScaleTiling {
    uint32_t total;
    uint32_t tile;
    float factor;
};

template <typename T>
class Scale {
public:
    __aicore__ inline Scale(AscendC::TPipe *pipe) : pipe_(pipe) {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ScaleTiling *tiling)
    {
        share_ = tiling->total / AscendC::GetBlockNum();
        tile_ = tiling->tile;
        factor_ = tiling->factor;
        x_.SetGlobalBuffer((__gm__ T *)x + share_ * AscendC::GetBlockIdx(), share_);
        y_.SetGlobalBuffer((__gm__ T *)y + share_ * AscendC::GetBlockIdx(), share_);
        pipe_->InitBuffer(queue_, 2, tile_ * sizeof(T));
        pipe_->InitBuffer(out_, 2, tile_ * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t at = 0; at < share_; at += tile_) {
            AscendC::LocalTensor<T> x = queue_.template AllocTensor<T>();
            AscendC::DataCopy(x, x_[at], tile_);
            queue_.EnQue(x);
            x = queue_.template DeQue<T>();
            AscendC::LocalTensor<T> y = out_.template AllocTensor<T>();
            AscendC::Muls(y, x, static_cast<T>(factor_), tile_);
            queue_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.template DeQue<T>();
            AscendC::DataCopy(y_[at], y, tile_);
            out_.FreeTensor(y);
        }
    }

private:
    AscendC::TPipe *pipe_;
    AscendC::TQue<AscendC::QuePosition::VECIN, 2> queue_;
    AscendC::TQue<AscendC::QuePosition::VECOUT, 2> out_;
    AscendC::GlobalTensor<T> x_, y_;
    uint32_t share_;
    uint32_t tile_;
    float factor_;
};

// a2lint: launch(block_dim=4, x=float[4096], y=float[4096], tiling.total=4096, tiling.tile=256, tiling.factor=0.5)
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(ScaleTiling);
    GET_TILING_DATA(data, tiling);
    AscendC::TPipe pipe;
    Scale<float> op(&pipe);
    op.Init(x, y, &data);
    op.Process();
}
