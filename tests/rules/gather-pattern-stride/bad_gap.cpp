#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = 4;
    GatherMask(dst, src, pattern, false, 0, params, kept);  //~ WARNING gather-pattern-stride: takes 8 bytes of the pattern, and the next starts 256 bytes on, the default
}
