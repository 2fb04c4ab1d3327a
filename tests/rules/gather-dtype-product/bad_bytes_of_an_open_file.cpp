#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<int8_t> &dst, LocalTensor<int8_t> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);  //~ WARNING gather-dtype-product: does not take int8_t on A2/A3
}
