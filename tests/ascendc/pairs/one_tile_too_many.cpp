// The loop ends one tile after the last one.
#include "kernel_operator.h"
using namespace AscendC;

class Shift {
public:
    __aicore__ inline Shift(GM_ADDR x, GM_ADDR y, uint32_t length, uint32_t tile) : length_(length), tile_(tile)
    {
        x_.SetGlobalBuffer((__gm__ float*)x, length);
        y_.SetGlobalBuffer((__gm__ float*)y, length);
        pipe_.InitBuffer(in_, 2, tile * sizeof(float));
        pipe_.InitBuffer(out_, 2, tile * sizeof(float));
    }
    __aicore__ inline void operator()()
    {
//+        for (uint32_t at = 0; at <= length_; at += tile_) {
        for (uint32_t at = 0; at < length_; at += tile_) {//-
            auto a = in_.AllocTensor<float>();
//+            DataCopy(a, x_[at], tile_);  //~ bounds
            DataCopy(a, x_[at], tile_);//-
            in_.EnQue(a);
            a = in_.DeQue<float>();
            auto b = out_.AllocTensor<float>();
            Adds(b, a, -1.5f, tile_);
            in_.FreeTensor(a);
            out_.EnQue(b);
            b = out_.DeQue<float>();
            DataCopy(y_[at], b, tile_);
            out_.FreeTensor(b);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> x_, y_;
    uint32_t length_, tile_;
};

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], length=1024, tile=256)
extern "C" __global__ __aicore__ void shift(GM_ADDR x, GM_ADDR y, uint32_t length, uint32_t tile)
{
    Shift op(x, y, length, tile);
    op();
}
