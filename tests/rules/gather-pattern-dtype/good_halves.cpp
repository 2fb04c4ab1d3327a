#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<half> &dst, LocalTensor<half> &src, LocalTensor<uint16_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);
}
