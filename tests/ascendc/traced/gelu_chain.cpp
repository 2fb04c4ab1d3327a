// A chain of vector instructions on one tile, over a template for the element type, with scratch in a TBuf.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
class TanhGelu {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t perCore, uint32_t tile)
    {
        tile_ = tile;
        tiles_ = perCore / tile;
        const uint64_t start = static_cast<uint64_t>(GetBlockIdx()) * perCore;
        xGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(x) + start, perCore);
        yGm_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(y) + start, perCore);
        pipe_.InitBuffer(inQue_, 2, tile * sizeof(T));
        pipe_.InitBuffer(outQue_, 2, tile * sizeof(T));
        pipe_.InitBuffer(wide_, tile * sizeof(float));
        pipe_.InitBuffer(cubed_, tile * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t t = 0; t < tiles_; ++t) {
            LocalTensor<T> in = inQue_.template AllocTensor<T>();
            DataCopy(in, xGm_[t * tile_], tile_);
            inQue_.EnQue(in);
            Compute();
            LocalTensor<T> out = outQue_.template DeQue<T>();
            DataCopy(yGm_[t * tile_], out, tile_);
            outQue_.FreeTensor(out);
        }
    }

private:
    __aicore__ inline void Compute()
    {
        LocalTensor<T> in = inQue_.template DeQue<T>();
        LocalTensor<T> out = outQue_.template AllocTensor<T>();
        LocalTensor<float> x = wide_.Get<float>();
        LocalTensor<float> u = cubed_.Get<float>();
        if constexpr (IsSameType<T, float>::value) {
            Adds(x, in, 0.0f, tile_);
        } else {
            Cast(x, in, RoundMode::CAST_NONE, tile_);
        }
        inQue_.FreeTensor(in);
        Mul(u, x, x, tile_);
        Mul(u, u, x, tile_);
        Muls(u, u, 0.044715f, tile_);
        Add(u, u, x, tile_);
        Muls(u, u, -1.5957691f, tile_);
        Exp(u, u, tile_);
        Adds(u, u, 1.0f, tile_);
        if constexpr (IsSameType<T, float>::value) {
            Div(out, x, u, tile_);
        } else {
            Div(u, x, u, tile_);
            Cast(out, u, RoundMode::CAST_RINT, tile_);
        }
        outQue_.EnQue(out);
    }

    TPipe pipe_;
    TQue<QuePosition::VECIN, 1> inQue_;
    TQue<QuePosition::VECOUT, 1> outQue_;
    TBuf<QuePosition::VECCALC> wide_, cubed_;
    GlobalTensor<T> xGm_, yGm_;
    uint32_t tile_ = 0;
    uint32_t tiles_ = 0;
};

// a2lint: launch(block_dim=4, x=half[8192], y=half[8192], perCore=2048, tile=512)
extern "C" __global__ __aicore__ void gelu_half(GM_ADDR x, GM_ADDR y, uint32_t perCore, uint32_t tile)
{
    TanhGelu<half> op;
    op.Init(x, y, perCore, tile);
    op.Process();
}

// a2lint: launch(block_dim=4, x=float[8192], y=float[8192], perCore=2048, tile=512)
extern "C" __global__ __aicore__ void gelu_float(GM_ADDR x, GM_ADDR y, uint32_t perCore, uint32_t tile)
{
    TanhGelu<float> op;
    op.Init(x, y, perCore, tile);
    op.Process();
}
