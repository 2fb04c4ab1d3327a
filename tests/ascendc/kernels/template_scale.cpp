// y = x * factor for two element types from one template; half is scaled as float.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T, bool WIDEN>
class Scale;

template <typename T, uint32_t TILE>
struct Buffers {
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> wide;

    template <bool WIDEN>
    __aicore__ inline void Allocate(TPipe& pipe)
    {
        pipe.InitBuffer(in, 2, TILE * sizeof(T));
        pipe.InitBuffer(out, 2, TILE * sizeof(T));
        if constexpr (WIDEN) {
            pipe.InitBuffer(wide, TILE * sizeof(float));
        }
    }
};

template <typename T, bool WIDEN>
class Scale {
    static constexpr uint32_t TILE = 512;
    TPipe pipe;
    Buffers<T, TILE> buffers;
    GlobalTensor<T> x, y;
    uint32_t tiles;

public:
    __aicore__ inline void Init(GM_ADDR xAddr, GM_ADDR yAddr, uint32_t tilesPerCore)
    {
        tiles = tilesPerCore;
        const uint64_t base = GetBlockIdx() * static_cast<uint64_t>(tiles) * TILE;
        x.SetGlobalBuffer((__gm__ T*)xAddr + base, tiles * TILE);
        y.SetGlobalBuffer((__gm__ T*)yAddr + base, tiles * TILE);
        buffers.template Allocate<WIDEN>(pipe);
    }
    __aicore__ inline void Process(float factor)
    {
        for (uint32_t i = 0; i < tiles; i++) {
            auto a = buffers.in.template AllocTensor<T>();
            DataCopy(a, x[i * TILE], TILE);
            buffers.in.EnQue(a);
            auto loaded = buffers.in.template DeQue<T>();
            auto b = buffers.out.template AllocTensor<T>();
            if constexpr (WIDEN) {
                auto w = buffers.wide.template Get<float>();
                Cast(w, loaded, RoundMode::CAST_NONE, TILE);
                Muls(w, w, factor, TILE);
                Cast(b, w, RoundMode::CAST_RINT, TILE);
            } else {
                Muls(b, loaded, static_cast<T>(factor), TILE);
            }
            buffers.in.FreeTensor(loaded);
            buffers.out.EnQue(b);
            auto done = buffers.out.template DeQue<T>();
            DataCopy(y[i * TILE], done, TILE);
            buffers.out.FreeTensor(done);
        }
    }
};

// a2lint: launch(block_dim=2, x=half[2048], y=half[2048], tiles=2, factor=0.3)
extern "C" __global__ __aicore__ void scale_half(GM_ADDR x, GM_ADDR y, uint32_t tiles, float factor)
{
    Scale<half, true> op;
    op.Init(x, y, tiles);
    op.Process(factor);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048], tiles=2, factor=0.3)
extern "C" __global__ __aicore__ void scale_float(GM_ADDR x, GM_ADDR y, uint32_t tiles, float factor)
{
    Scale<float, false> op;
    op.Init(x, y, tiles);
    op.Process(factor);
}
