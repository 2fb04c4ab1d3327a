// The last tile is copied whole although the array ends inside of it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

class Doubler {
public:
    __aicore__ inline Doubler(GM_ADDR x, GM_ADDR y, uint32_t n) : n_(n)
    {
        gx_.SetGlobalBuffer((__gm__ float*)x, n);
        gy_.SetGlobalBuffer((__gm__ float*)y, n);
        pipe_.InitBuffer(in_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(out_, 2, TILE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        const uint32_t tiles = (n_ + TILE - 1) / TILE;
        for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
//+            const uint32_t count = TILE;
            const uint32_t count = n_ - i * TILE < TILE ? n_ - i * TILE : TILE;//-
            auto x = in_.AllocTensor<float>();
//+            DataCopyPad(x, gx_[i * TILE], {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});  //~ bounds
            DataCopyPad(x, gx_[i * TILE], {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});//-
            in_.EnQue(x);
            x = in_.DeQue<float>();
            auto y = out_.AllocTensor<float>();
            Add(y, x, x, count);
            in_.FreeTensor(x);
            out_.EnQue(y);
            y = out_.DeQue<float>();
            DataCopyPad(gy_[i * TILE], y, {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0});
            out_.FreeTensor(y);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> gx_, gy_;
    uint32_t n_;
};

// a2lint: launch(block_dim=2, x=float[1000], y=float[1000], n=1000)
extern "C" __global__ __aicore__ void doubler(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Doubler op(x, y, n);
    op.Process();
}
