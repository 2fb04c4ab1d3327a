#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    constexpr uint32_t count = 128;
    GatherMask(dst, src, 1, count, false, {1, 1, 8, 0}, kept);  //~ ERROR gather-arguments-swapped
}
