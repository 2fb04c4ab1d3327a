#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum, bool even) {
    uint64_t kept = 0;
    if (even) {
        GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    } else {
        Adds(sum, dst, 1.0f, 32);
    }
}
