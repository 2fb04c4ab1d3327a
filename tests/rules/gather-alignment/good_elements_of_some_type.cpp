#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(dst[8], src, 1, false, 0, {1, repeats, 8, 0}, kept);
}
//~ NOT-ANALYSED
