#ifndef SIGMOID_LIKE_TILING_DATA_H
#define SIGMOID_LIKE_TILING_DATA_H
#include <cstdint>

struct SigmoidLikeTilingData {
    uint32_t total;
    uint32_t perCore;
    uint32_t tile;
};
#endif
