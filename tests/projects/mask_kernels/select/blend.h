// Blends two tiles under a mask of bits; one instance for each shape.
#pragma once
#include <pto/pto-inst.hpp>
#include "../common/layout.h"

using namespace pto;

// Addresses of tiles that lie one after the other.
template <typename T, int Rows, int Cols>
struct Places {
    static constexpr uint32_t BYTES = Rows * Cols * sizeof(T);
    static constexpr uint32_t MASK = 3 * BYTES;
    static constexpr uint32_t SCRATCH = MASK + Rows * layout::BLOCK_BYTES;
};

template <typename T, int Rows, int Cols>
__global__ AICORE void Blend(__gm__ T *out, __gm__ uint8_t *bits, __gm__ T *one, __gm__ T *other) {
    using Data = Tile<TileType::Vec, T, Rows, Cols, BLayout::RowMajor, -1, -1>;
    using Bits = Tile<TileType::Vec, uint8_t, Rows, layout::BLOCK_BYTES, BLayout::RowMajor, -1, -1>;
    using Scratch = Tile<TileType::Vec, uint8_t, 1, layout::BLOCK_BYTES>;
    using At = Places<T, Rows, Cols>;
    Data a(Rows, Cols);
    Data b(Rows, Cols);
    Data c(Rows, Cols);
    Bits mask(Rows, Cols / layout::LANES_PER_BYTE);
    Scratch scratch;
    TASSIGN(a, 0);
    TASSIGN(b, At::BYTES);
    TASSIGN(c, 2 * At::BYTES);
    TASSIGN(mask, At::MASK);
    TASSIGN(scratch, At::SCRATCH);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TSEL(c, mask, a, b, scratch);
}

template <typename T, int Rows, int Cols>
void LaunchBlend(T *out, uint8_t *bits, T *one, T *other, void *stream) {
    if constexpr (std::is_same_v<T, aclFloat16>) {
        Blend<half, Rows, Cols><<<1, nullptr, stream>>>((half *)out, bits, (half *)one, (half *)other);
    } else {
        Blend<T, Rows, Cols><<<1, nullptr, stream>>>(out, bits, one, other);
    }
}
