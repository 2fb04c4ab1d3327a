#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    constexpr uint8_t pattern = 8;
    GatherMask<float>(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);  //~ ERROR gather-pattern-range: not 8
}
