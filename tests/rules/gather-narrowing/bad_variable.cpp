#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    constexpr uint32_t count = 32832;
    uint64_t kept = 0;
    uint8_t repeats = (count + 63) / 64;
    GatherMask(dst, src, 1, false, 0, {1, repeats, 8, 0}, kept);  //~ WARNING gather-narrowing
}
