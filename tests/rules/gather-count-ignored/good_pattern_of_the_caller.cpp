#include "kernel_operator.h"

using namespace AscendC;

// The pattern keeps the last eight of sixteen, as its author knows.
__aicore__ inline void shift_tail(GlobalTensor<float> &out, LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 16, {1, 1, 8, 0}, kept);
    DataCopy(out, dst, 8);
}
