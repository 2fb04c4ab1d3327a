// y = int8(round(x / scale)) by way of half, as the vector unit has no direct conversion.
#include "kernel_operator.h"
using namespace AscendC;

template <typename TIn, typename TOut>
class Quantizer {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t tile, float scale)
    {
        const uint32_t each = total / GetBlockNum();
        tile_ = tile;
        tiles_ = each / tile;
        inverse_ = 1.0f / scale;
        xGm_.SetGlobalBuffer((__gm__ TIn*)x + GetBlockIdx() * each, each);
        yGm_.SetGlobalBuffer((__gm__ TOut*)y + GetBlockIdx() * each, each);
        pipe_.InitBuffer(xQue_, 2, tile * sizeof(TIn));
        pipe_.InitBuffer(yQue_, 2, tile * sizeof(TOut));
        pipe_.InitBuffer(halfBuf_, tile * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < tiles_; ++i) {
            CopyIn(i * tile_);
            Compute();
            CopyOut(i * tile_);
        }
    }

private:
    __aicore__ inline void CopyIn(uint64_t at)
    {
        LocalTensor<TIn> x = xQue_.template AllocTensor<TIn>();
        DataCopy(x, xGm_[at], tile_);
        xQue_.EnQue(x);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<TIn> x = xQue_.template DeQue<TIn>();
        LocalTensor<TOut> y = yQue_.template AllocTensor<TOut>();
        LocalTensor<half> narrow = halfBuf_.template Get<half>();
        Muls(x, x, inverse_, tile_);
        Cast(narrow, x, RoundMode::CAST_RINT, tile_);
        Cast(y, narrow, RoundMode::CAST_RINT, tile_);
        xQue_.FreeTensor(x);
        yQue_.EnQue(y);
    }
    __aicore__ inline void CopyOut(uint64_t at)
    {
        LocalTensor<TOut> y = yQue_.template DeQue<TOut>();
        DataCopy(yGm_[at], y, tile_);
        yQue_.FreeTensor(y);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> xQue_;
    TQue<TPosition::VECOUT, 1> yQue_;
    TBuf<TPosition::VECCALC> halfBuf_;
    GlobalTensor<TIn> xGm_;
    GlobalTensor<TOut> yGm_;
    uint32_t tile_, tiles_;
    float inverse_;
};

// a2lint: launch(block_dim=2, x=float[2048], y=int8[2048], total=2048, tile=256, scale=0.05)
extern "C" __global__ __aicore__ void quantize_int8(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t tile, float scale)
{
    Quantizer<float, int8_t> op;
    op.Init(x, y, total, tile, scale);
    op.Process();
}
