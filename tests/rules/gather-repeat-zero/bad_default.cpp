#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.src0RepeatStride = 8;
    GatherMask(dst, src, 1, false, 0, params, kept);  //~ ERROR gather-repeat-zero: never set, and its default is 0
}
