#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 65537, 8, 0}, kept);  //~ ERROR gather-field-width: repeatTimes has 16 bits: 65537 becomes 1
}
