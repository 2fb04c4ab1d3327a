#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<half> &dst, LocalTensor<half> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);  //~ ERROR gather-pattern-dtype: half data is a tensor of uint16_t, and `pattern` is uint32_t
}
