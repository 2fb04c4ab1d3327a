#ifndef ABS_DIFF_TILING_DATA_H
#define ABS_DIFF_TILING_DATA_H
#include <cstdint>

struct AbsDiffTilingData {
    uint32_t total;
    uint32_t perCore;
    uint32_t tile;
    float from;
};
#endif
