// What element-wise kernels have in common: the pipeline stands here, the formula in a derived class.
#ifndef COMMON_ELEMENTWISE_H
#define COMMON_ELEMENTWISE_H

#include "kernel_operator.h"

namespace common {

template <typename T>
__aicore__ inline T CeilDiv(T a, T b)
{
    return b == 0 ? a : (a + b - 1) / b;
}

template <class Derived, typename T>
class Elementwise {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t tile)
    {
        uint32_t perCore = CeilDiv<uint32_t>(total, AscendC::GetBlockNum());
        perCore = CeilDiv<uint32_t>(perCore, 32 / sizeof(T)) * (32 / sizeof(T));
        const uint32_t start = perCore * AscendC::GetBlockIdx();
        length_ = start >= total ? 0 : (start + perCore > total ? total - start : perCore);
        tile_ = tile;
        x_.SetGlobalBuffer((__gm__ T*)x + start, length_);
        y_.SetGlobalBuffer((__gm__ T*)y + start, length_);
        pipe_.InitBuffer(in_, 2, tile * sizeof(T));
        pipe_.InitBuffer(out_, 2, tile * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        if (length_ == 0) {
            return;
        }
        for (uint32_t at = 0; at < length_; at += tile_) {
            Tile(at, length_ - at < tile_ ? length_ - at : tile_);
        }
    }

private:
    __aicore__ inline void Tile(uint32_t at, uint32_t n)
    {
        AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
        AscendC::LocalTensor<T> a = in_.template AllocTensor<T>();
        AscendC::DataCopyPad(a, x_[at], copy, AscendC::DataCopyPadExtParams<T>{false, 0, 0, 0});
        in_.EnQue(a);
        AscendC::LocalTensor<T> src = in_.template DeQue<T>();
        AscendC::LocalTensor<T> dst = out_.template AllocTensor<T>();
        static_cast<Derived*>(this)->Apply(dst, src, n);
        in_.FreeTensor(src);
        out_.EnQue(dst);
        AscendC::LocalTensor<T> b = out_.template DeQue<T>();
        AscendC::DataCopyPad(y_[at], b, copy);
        out_.FreeTensor(b);
    }

    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::GlobalTensor<T> x_, y_;
    uint32_t length_ = 0;
    uint32_t tile_ = 0;
};

}  // namespace common

#endif
