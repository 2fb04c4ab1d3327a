#ifndef DOUBLE_ROWS_TILING_H
#define DOUBLE_ROWS_TILING_H
#include <cstdint>

namespace host {
struct DoubleRowsTiling {
    uint32_t rows;
    uint32_t columns;
};
} // namespace host
#endif
