#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = 2;
    params.src0RepeatStride = 0;  //~ WARNING gather-repeat-overlap: 0 elements (0 blocks) apart
    GatherMask(dst, src, 1, false, 0, params, kept);
}
