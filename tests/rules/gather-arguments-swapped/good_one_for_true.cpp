#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, 1, 64, {1, 1, 8, 0}, kept);
    GatherMask(dst, src, 1, 0, 0, {1, 1, 8, 0}, kept);
}
