#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, int rows) {
    uint64_t kept = 0;
    uint32_t mask = 0;
    if (rows > 0) {
        mask = 64;
    }
    GatherMask(dst, src, 1, true, mask, {1, 1, 8, 0}, kept);
}
