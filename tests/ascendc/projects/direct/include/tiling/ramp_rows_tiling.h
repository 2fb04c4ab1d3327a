#ifndef RAMP_ROWS_TILING_H
#define RAMP_ROWS_TILING_H
#include <cstdint>

namespace host {
struct RampRowsTiling {
    uint32_t rows;
    uint32_t columns;
    float least;
};
} // namespace host
#endif
