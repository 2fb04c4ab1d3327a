#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 3, false, 0, {1, 4, 1, 0}, kept);  //~ WARNING gather-repeat-overlap: 8 elements (1 block) apart: each takes 64 elements, so 56
}
