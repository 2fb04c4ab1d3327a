#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    constexpr uint32_t count = 32832;
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = static_cast<uint8_t>(count / 64);  //~ WARNING gather-narrowing: cut to 8 bits
    GatherMask(dst, src, 1, false, 0, params, kept);
}
