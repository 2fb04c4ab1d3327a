#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern, uint32_t rows) {
    uint64_t kept = 0;
    uint32_t total = 0;
    for (uint32_t i = 0; i < rows; i++) {
        GatherMask(dst[total], src[i * 64], pattern, true, 64, {1, 1, 8, 0}, kept);  //~ WARNING gather-alignment: after a count of kept elements
        total += kept;
    }
}
