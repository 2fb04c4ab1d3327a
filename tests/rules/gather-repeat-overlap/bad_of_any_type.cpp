#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 4, 1, 0}, kept);  //~ WARNING gather-repeat-overlap: 32 bytes apart: each takes 256 bytes, so 224 of them
}
//~ NOT-ANALYSED
