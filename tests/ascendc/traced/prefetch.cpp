// The load of the next tile is issued before the work on this one: a tensor waits in the queue from one iteration to the
// next.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t TILE = 256;

class Squares {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, int32_t tiles)
    {
        tiles_ = tiles;
        a_.SetGlobalBuffer((__gm__ half *)a + GetBlockIdx() * tiles * TILE);
        b_.SetGlobalBuffer((__gm__ half *)b + GetBlockIdx() * tiles * TILE);
        pipe_.InitBuffer(in_, 2, TILE * sizeof(half));
        pipe_.InitBuffer(out_, 2, TILE * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        Load(0);
        for (int32_t i = 0; i < tiles_; ++i) {
            if (i + 1 < tiles_) {
                Load(i + 1);
            }
            LocalTensor<half> x = in_.DeQue<half>();
            LocalTensor<half> y = out_.AllocTensor<half>();
            Mul(y, x, x, TILE);
            in_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.DeQue<half>();
            DataCopy(b_[i * TILE], y, TILE);
            out_.FreeTensor(y);
        }
    }

private:
    __aicore__ inline void Load(int32_t at)
    {
        LocalTensor<half> x = in_.AllocTensor<half>();
        DataCopy(x, a_[at * TILE], TILE);
        in_.EnQue(x);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<half> a_, b_;
    int32_t tiles_;
};

// a2lint: launch(block_dim=2, a=half[2, 1024], b=half[2, 1024], tiles=4)
extern "C" __global__ __aicore__ void squares(GM_ADDR a, GM_ADDR b, int32_t tiles)
{
    Squares op;
    op.Init(a, b, tiles);
    op.Process();
}
