// Differences of shares or cores that may be negative, in numbers of 64 bits without a sign.
#include "kernel_operator.h"
using namespace AscendC;

struct BigSmallTiling {
    uint64_t smallElements;
    uint64_t bigElements;
    uint64_t bigTiles;
    uint64_t smallTiles;
    uint64_t tileElements;
    uint64_t smallRest;
    uint64_t bigRest;
    uint64_t bigCores;
};

class Halver {
public:
    __aicore__ inline void Init(GM_ADDR src, GM_ADDR dst, const BigSmallTiling &t, uint64_t firstSmall, uint64_t known)
    {
        uint64_t core = GetBlockIdx();
        uint64_t from = t.bigElements * core;
        tileElements_ = t.tileElements;
        if (core < firstSmall) {
            elements_ = t.bigElements;
            tiles_ = t.bigTiles;
            rest_ = t.bigRest;
        } else {
            elements_ = t.smallElements;
            tiles_ = t.smallTiles;
            rest_ = t.smallRest;
            from -= (t.bigElements - t.smallElements) * (core - known);
        }
        src_.SetGlobalBuffer((__gm__ float *)src + from, elements_);
        dst_.SetGlobalBuffer((__gm__ float *)dst + from, elements_);
        pipe_.InitBuffer(in_, 2, tileElements_ * sizeof(float));
        pipe_.InitBuffer(out_, 2, tileElements_ * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        now_ = tileElements_;
        for (int32_t i = 0; i < static_cast<int32_t>(tiles_); i++) {
            if (i == tiles_ - 1) {
                now_ = rest_;
            }
            auto a = in_.AllocTensor<float>();
            DataCopy(a, src_[i * tileElements_], now_);
            in_.EnQue(a);
            a = in_.DeQue<float>();
            auto b = out_.AllocTensor<float>();
            Muls(b, a, 0.5f, now_);
            out_.EnQue<float>(b);
            in_.FreeTensor(a);
            b = out_.DeQue<float>();
            DataCopy(dst_[i * tileElements_], b, now_);
            out_.FreeTensor(b);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<float> src_, dst_;
    uint64_t elements_, tiles_, tileElements_, rest_, now_;
};

// The first small share is counted from the core after it.
//~ VERDICT counted_from_the_next.scalars: open
extern "C" __global__ __aicore__ void counted_from_the_next(GM_ADDR src, GM_ADDR dst, BigSmallTiling t)
{
    Halver op;
    op.Init(src, dst, t, t.bigCores, t.bigCores + 1);
    op.Process();
}

// The small shares start at a core that has nothing to do with the one that they are counted from.
//~ VERDICT any_first.scalars: proved-if t.bigCores <= t.bigTiles
extern "C" __global__ __aicore__ void any_first(GM_ADDR src, GM_ADDR dst, BigSmallTiling t)
{
    Halver op;
    op.Init(src, dst, t, t.bigTiles, t.bigCores);
    op.Process();
}
