// A tile of any size may end early: the proof does not stop at the number of sizes that can be tried one by one.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t TILE> class Scaled {
public:
    __aicore__ inline void Init(TPipe *pipe, GM_ADDR x, GM_ADDR y, uint32_t n)
    {
        n_ = n;
        x_.SetGlobalBuffer((__gm__ float *)x, n);
        y_.SetGlobalBuffer((__gm__ float *)y, n);
        pipe->InitBuffer(in_, 2, TILE * sizeof(float));
        pipe->InitBuffer(out_, 2, TILE * sizeof(float));
    }
    __aicore__ inline void Run()
    {
        const uint32_t tiles = (n_ + TILE - 1) / TILE;
        for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
            const uint32_t at = i * TILE;
            const uint32_t n = n_ - at < TILE ? n_ - at : TILE;
            DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};
            auto a = in_.AllocTensor<float>();
            DataCopyPad(a, x_[at], copy, {false, 0, 0, 0.0f});
            in_.EnQue(a);
            a = in_.DeQue<float>();
            auto b = out_.AllocTensor<float>();
            Muls(b, a, 2.0f, n);
            in_.FreeTensor(a);
            out_.EnQue(b);
            b = out_.DeQue<float>();
            DataCopyPad(y_[at], b, copy);
            out_.FreeTensor(b);
        }
    }

private:
    uint32_t n_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<float> x_, y_;
};

//~ VERDICT tiles_of_4096.operands: holds
//~ VERDICT tiles_of_4096.initialised: holds
// a2lint: shapes(x=float[n], y=float[n])
// a2lint: launch(block_dim=2, x=float[10001], y=float[10001], n=10001)
extern "C" __global__ __aicore__ void tiles_of_4096(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    Scaled<4096> op;
    op.Init(&pipe, x, y, n);
    op.Run();
}

//~ VERDICT tiles_of_12288.operands: holds
//~ VERDICT tiles_of_12288.initialised: holds
// a2lint: launch(block_dim=2, x=float[30001], y=float[30001], n=30001)
extern "C" __global__ __aicore__ void tiles_of_12288(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    Scaled<12288> op;
    op.Init(&pipe, x, y, n);
    op.Run();
}
