#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask<float, defaultGatherMaskMode>(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
