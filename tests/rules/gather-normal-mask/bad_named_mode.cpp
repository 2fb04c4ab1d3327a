#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    const bool counter = false;
    constexpr uint32_t COUNT = 4 * 16;
    GatherMask(dst, src, 2, counter, COUNT, {1, 1, 8, 0}, kept);  //~ ERROR gather-normal-mask: the mask 64
}
