#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &a, LocalTensor<float> &b, LocalTensor<float> &c) {
    SetMaskCount();
    uint64_t kept = 0;
    for (int i = 0; i < 4; i++) {
        GatherMask(a, b, 1, true, 64, {1, 1, 8, 0}, kept);
        PipeBarrier<PIPE_V>();
        Muls<float, false>(c, a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  //~ WARNING gather-mask-mode: Muls relies
    }
}
