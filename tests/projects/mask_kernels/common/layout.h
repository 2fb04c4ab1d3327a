// What every kernel here agrees on.
#pragma once
#include "kernel_operator.h"

namespace layout {
constexpr uint32_t BLOCK_BYTES = 32;
constexpr uint32_t REPEAT_BYTES = 256;
constexpr uint32_t LANES_PER_BYTE = 8;

enum class Half : uint8_t { FIRST = 1, SECOND = 2 };

#define ROUND_UP(x, y) (((x) + (y) - 1) / (y) * (y))

constexpr uint32_t Repeats(uint32_t bytes) {
    uint32_t count = 0;
    for (uint32_t done = 0; done < bytes; done += REPEAT_BYTES) {
        count += 1;
    }
    return count;
}

// Words of a pattern tensor are as wide as the data.
template <typename T>
struct PatternWord {
    using Type = uint32_t;
};
template <>
struct PatternWord<half> {
    using Type = uint16_t;
};
}  // namespace layout
