// The next tile is loaded ahead, also after the last one: a tensor stays in the queue with its flag set.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t TILE = 128;

class Prefetch {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, int32_t tiles)
    {
        tiles_ = tiles;
        x_.SetGlobalBuffer((__gm__ half*)x, tiles * TILE);
        y_.SetGlobalBuffer((__gm__ half*)y, tiles * TILE);
        pipe_.InitBuffer(in_, 2, TILE * sizeof(half));
        pipe_.InitBuffer(out_, 2, TILE * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        Load(0);
        for (int32_t i = 0; i < tiles_; i++) {
//+            Load(i + 1 < tiles_ ? i + 1 : 0);  //~ progress
            if (i + 1 < tiles_) {//-
                Load(i + 1);//-
            }//-
            auto x = in_.DeQue<half>();
            auto y = out_.AllocTensor<half>();
            Mul(y, x, x, TILE);
            in_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.DeQue<half>();
            DataCopy(y_[i * TILE], y, TILE);
            out_.FreeTensor(y);
        }
    }

private:
    __aicore__ inline void Load(int32_t i)
    {
        auto t = in_.AllocTensor<half>();
        DataCopy(t, x_[i * TILE], TILE);
        in_.EnQue(t);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<half> x_, y_;
    int32_t tiles_;
};

// a2lint: launch(block_dim=1, x=half[640], y=half[640], tiles=5)
extern "C" __global__ __aicore__ void squares_ahead(GM_ADDR x, GM_ADDR y, int32_t tiles)
{
    if (tiles <= 0) {
        return;
    }
    Prefetch op;
    op.Init(x, y, tiles);
    op.Process();
}
