// y = silu(a) * b, where a and b are the two halves of each row of x.
#include "kernel_operator.h"
using namespace AscendC;

struct SwigluTiling {
    uint32_t rows;
    uint32_t width;  // of a result row
    uint32_t block;  // rows that are computed together
};

class Swiglu {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SwigluTiling& t)
    {
        t_ = t;
        gx_.SetGlobalBuffer((__gm__ float*)x, t.rows * t.width * 2);
        gy_.SetGlobalBuffer((__gm__ float*)y, t.rows * t.width);
        const uint32_t bytes = t.block * t.width * sizeof(float);
        pipe_.InitBuffer(gate_, 2, bytes);
        pipe_.InitBuffer(up_, 2, bytes);
        pipe_.InitBuffer(res_, 2, bytes);
    }
    __aicore__ inline void Process()
    {
        const uint32_t step = t_.block * GetBlockNum();
        for (uint32_t r = GetBlockIdx() * t_.block; r < t_.rows; r += step) {
            const uint32_t left = t_.rows - r;
            Block(r, left < t_.block ? left : t_.block);
        }
    }

private:
    __aicore__ inline void Half(TQue<TPosition::VECIN, 1>& queue, uint32_t row, uint32_t rows, uint32_t column)
    {
        auto t = queue.AllocTensor<float>();
        DataCopyParams p;
        p.blockCount = static_cast<uint16_t>(rows);
        p.blockLen = static_cast<uint16_t>(t_.width * sizeof(float) / 32);
        p.srcStride = p.blockLen;
        p.dstStride = 0;
        DataCopy(t, gx_[row * t_.width * 2 + column], p);
        queue.EnQue(t);
    }
    __aicore__ inline void Block(uint32_t row, uint32_t rows)
    {
        Half(gate_, row, rows, 0);
        Half(up_, row, rows, t_.width);
        const int32_t n = rows * t_.width;
        auto a = gate_.DeQue<float>();
        auto b = up_.DeQue<float>();
        auto y = res_.AllocTensor<float>();
        Muls(y, a, -1.0f, n);
        Exp(y, y, n);
        Adds(y, y, 1.0f, n);
        Div(y, a, y, n);
        Mul(y, y, b, n);
        gate_.FreeTensor(a);
        up_.FreeTensor(b);
        res_.EnQue(y);
        y = res_.DeQue<float>();
        DataCopy(gy_[row * t_.width], y, n);
        res_.FreeTensor(y);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> gate_, up_;
    TQue<TPosition::VECOUT, 1> res_;
    GlobalTensor<float> gx_, gy_;
    SwigluTiling t_;
};

// a2lint: launch(block_dim=2, x=float[11, 128], y=float[11, 64], t.rows=11, t.width=64, t.block=4)
extern "C" __global__ __aicore__ void swiglu(GM_ADDR x, GM_ADDR y, SwigluTiling t)
{
    Swiglu op;
    op.Init(x, y, t);
    op.Process();
}
