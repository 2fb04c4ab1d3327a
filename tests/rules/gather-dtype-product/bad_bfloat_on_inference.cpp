// a2lint: device 310p
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<bfloat16_t> &dst, LocalTensor<bfloat16_t> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, true, 64, {1, 1, 8, 0}, kept);  //~ ERROR gather-dtype-product: bfloat16_t on inference products
}
