// a2lint: device b3, 310p
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 70, {1, 2, 4, 0}, kept);  //~ WARNING gather-portability: 2 repeats of 70 elements are 140 elements on A2/A3 and 70 on inference products
}
