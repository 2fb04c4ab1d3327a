#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = 2;
    params.src0BlockStride = 300;  //~ ERROR gather-field-width: src0BlockStride has 8 bits: 300 becomes 44
    GatherMask(dst, src, 1, false, 0, params, kept);
}
