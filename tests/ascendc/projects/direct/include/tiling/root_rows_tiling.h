#ifndef ROOT_ROWS_TILING_H
#define ROOT_ROWS_TILING_H
#include <cstdint>

namespace host {
struct RootRowsTiling {
    uint32_t rows;
    uint32_t columns;
};
} // namespace host
#endif
