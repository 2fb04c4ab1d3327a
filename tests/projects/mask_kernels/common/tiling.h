// Sizes that host and device agree on.
#pragma once
#include "layout.h"

struct SmallTiling {
    static constexpr uint32_t ROWS = 4;
    static constexpr uint32_t COLUMNS = 64;
    static constexpr uint32_t BUFFERS = 2;
};

struct WideTiling {
    static constexpr uint32_t ROWS = 2;
    static constexpr uint32_t COLUMNS = 256;
    static constexpr uint32_t BUFFERS = 1;
};

template <typename Tiling, typename T>
struct TileBytes {
    static constexpr uint32_t VALUE = Tiling::ROWS * Tiling::COLUMNS * sizeof(T);
};
