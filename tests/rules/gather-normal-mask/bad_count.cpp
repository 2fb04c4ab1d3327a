#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 70, {1, 2, 8, 0}, kept);  //~ ERROR gather-normal-mask: ignores the mask 70
}
