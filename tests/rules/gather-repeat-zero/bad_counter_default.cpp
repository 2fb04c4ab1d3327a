#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    GatherMask(dst, src, 1, true, 64, params, kept);  //~ WARNING gather-repeat-zero: never set
}
