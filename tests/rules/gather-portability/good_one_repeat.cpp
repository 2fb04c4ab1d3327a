// a2lint: device b3, 310p
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 140, {1, 1, 8, 0}, kept);
}
