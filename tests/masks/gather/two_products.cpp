// a2lint: device b3, 310p
// One source for both counts: one repeat where the products would differ.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void take(LocalTensor<half> &dst, LocalTensor<half> &src, LocalTensor<uint16_t> &bits, uint32_t count) {
    uint64_t kept = 0;
    GatherMask(dst, src, bits, true, count, {1, 1, 8, 0}, kept);
    GatherMask(dst, src, bits, true, 64, {1, 2, 8, 0}, kept);  //~ WARNING gather-portability: 128 elements on A2/A3
    GatherMask(dst, src, 7, true, count, {1, 1, 8, 0}, kept);  //~ ERROR gather-pattern-product
}
