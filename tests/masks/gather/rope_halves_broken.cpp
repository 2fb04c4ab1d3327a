// repeatTimes through eight bits, and a count where Normal mode wants 0.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void split(LocalTensor<half> &even, LocalTensor<half> &odd, LocalTensor<half> &row) {
    constexpr uint32_t total = 65536 + 256;
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = static_cast<uint8_t>(total / 128);  //~ WARNING gather-narrowing
    GatherMask(even, row, 1, false, 128, params, kept);  //~ ERROR gather-normal-mask
    GatherMask(odd, row, 9, false, 0, params, kept);  //~ ERROR gather-pattern-range
}
