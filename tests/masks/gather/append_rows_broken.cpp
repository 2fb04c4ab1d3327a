// The same into UB at the running count: unaligned from the second row on.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void append(LocalTensor<float> &y, LocalTensor<float> &x, LocalTensor<uint32_t> &bits, uint32_t rows) {
    uint32_t total = 0;
    uint64_t kept = 0;
    for (uint32_t row = 0; row < rows; ++row) {
        GatherMask(y[total], x[row * 64], bits[row * 8], true, 64, {1, 1, 8, 0}, kept);  //~ WARNING gather-alignment
        total += static_cast<uint32_t>(kept);
    }
    GatherMaskParams params;
    GatherMask(y, x, 3, false, 0, params, kept);  //~ ERROR gather-repeat-zero
}
