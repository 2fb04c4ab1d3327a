#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
//~ NOT-ANALYSED
