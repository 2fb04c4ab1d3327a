#include "kernel_operator.h"

using namespace AscendC;

// An older generation of the structure: its fields have other names, and other defaults.
__aicore__ inline void gather_flags(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &bits) {
    GatherMaskParams params;
    params.repeat = 4;
    params.patternMode = 0;
    uint64_t kept = 0;
    GatherMask(dst, src, bits, false, 0, params, kept);
}
