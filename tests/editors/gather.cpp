#include "kernel_operator.h"
#include "blend.h"

using namespace AscendC;

__aicore__ inline void take(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, PATTERN, false, 0, {1, 1, 8, 0}, kept);
}
