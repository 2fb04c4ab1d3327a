#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, int rows) {
    uint64_t kept = 0;
    GatherMaskParams params;
    fill(params, rows);
    GatherMask(dst, src, 1, false, 0, params, kept);
}
