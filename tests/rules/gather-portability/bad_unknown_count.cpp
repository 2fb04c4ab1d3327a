// a2lint: device 310p, 310b
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, uint32_t n) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, true, n, {1, 3, 8, 0}, kept);  //~ WARNING gather-portability: of each of 3 repeats
}
