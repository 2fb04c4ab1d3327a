#include "kernel_operator.h"

using namespace AscendC;

// Who calls this knows how many there are.
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, uint32_t count) {
    uint64_t kept = 0;
    uint8_t repeats = (count + 63) / 64;
    GatherMask(dst, src, 1, false, 0, {1, repeats, 8, 0}, kept);
    GatherMask(dst, src, 2, false, 0, {1, static_cast<uint8_t>(count / 64), 8, 0}, kept);
}
