#ifndef RELU_BIAS_TILING_DATA_H
#define RELU_BIAS_TILING_DATA_H
#include <cstdint>

struct ReluBiasTilingData {
    uint32_t total;
    uint32_t perCore;
    uint32_t tile;
    float bias;
};
#endif
