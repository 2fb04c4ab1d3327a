#ifndef SQUARE_ADD_TILING_DATA_H
#define SQUARE_ADD_TILING_DATA_H
#include <cstdint>

struct SquareAddTilingData {
    uint32_t total;
    uint32_t perCore;
    uint32_t tile;
};
#endif
