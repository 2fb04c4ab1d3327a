#ifndef NEGATE_ROWS_TILING_H
#define NEGATE_ROWS_TILING_H
#include <cstdint>

namespace host {
struct NegateRowsTiling {
    uint32_t rows;
    uint32_t columns;
};
} // namespace host
#endif
