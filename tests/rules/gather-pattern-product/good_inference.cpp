// a2lint: device 310p
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 6, true, 100, {1, 1, 8, 0}, kept);
}
