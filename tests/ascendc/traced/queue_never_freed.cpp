// An input tensor is never given back: with two buffers, the third AllocTensor waits for ever.
#include "kernel_operator.h"

constexpr int32_t LENGTH = 512;

class Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, int32_t tiles)
    {
        tiles_ = tiles;
        x_.SetGlobalBuffer((__gm__ float *)x + AscendC::GetBlockIdx() * tiles * LENGTH);
        y_.SetGlobalBuffer((__gm__ float *)y + AscendC::GetBlockIdx() * tiles * LENGTH);
        pipe_.InitBuffer(in_, 2, LENGTH * sizeof(float));
        pipe_.InitBuffer(out_, 2, LENGTH * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (int32_t i = 0; i < tiles_; i++) {
            auto x = in_.AllocTensor<float>();  //~ ERROR event-unbalanced: `AllocTensor` without `FreeTensor`
            AscendC::DataCopy(x, x_[i * LENGTH], LENGTH);
            in_.EnQue(x);
            x = in_.DeQue<float>();
            auto y = out_.AllocTensor<float>();
            AscendC::Add(y, x, x, LENGTH);
            out_.EnQue(y);
            y = out_.DeQue<float>();
            AscendC::DataCopy(y_[i * LENGTH], y, LENGTH);
            out_.FreeTensor(y);
        }
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::GlobalTensor<float> x_, y_;
    int32_t tiles_;
};

// a2lint: launch(block_dim=2, x=float[2, 4096], y=float[2, 4096], tiles=8)
extern "C" __global__ __aicore__ void double_leaky(GM_ADDR x, GM_ADDR y, int32_t tiles)
{
    Doubler op;
    op.Init(x, y, tiles);
    op.Process();
}
