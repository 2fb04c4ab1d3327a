// Load, compare, select, store with flags, over a loop of tiles.
#include <pto/pto-inst.hpp>

using namespace pto;

template <int kRows, int kCols>
__global__ AICORE void relu(__gm__ float __out__ *out, __gm__ float __in__ *in, int count) {
    constexpr int kMaskCols = 64;
    constexpr uint64_t kBytes = 32 * 256 * sizeof(float);
    using Shape5 = Shape<1, 1, 1, 32, 256>;
    using Stride5 = Stride<1, 1, 1, 256, 1>;
    using Global = GlobalTensor<float, Shape5, Stride5>;
    using TileT = Tile<TileType::Vec, float, 32, 256>;
    using MaskT = Tile<TileType::Vec, uint8_t, 32, kMaskCols, BLayout::RowMajor, -1, -1>;
    TileT x, zero, y;
    MaskT mask(32, 32);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TASSIGN(x, 0x0);
    TASSIGN(zero, kBytes);
    TASSIGN(y, 2 * kBytes);
    TASSIGN(mask, 3 * kBytes);
    TASSIGN(tmp, 3 * kBytes + 32 * kMaskCols);
    TEXPANDS(zero, 0.0f);
    for (int i = 0; i < count; ++i) {
        Global source(in + i * 32 * 256), target(out + i * 32 * 256);
        TLOAD(x, source);
        set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
        TCMPS(mask, x, 0.0f, CmpMode::GT);
        pipe_barrier(PIPE_V);
        TSEL(y, mask, x, zero, tmp);
        set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
        TSTORE(target, y);
        pipe_barrier(PIPE_ALL);
    }
}
//~ NOT-ANALYSED
