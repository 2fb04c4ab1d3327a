#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &a, LocalTensor<float> &b, LocalTensor<float> &c) {
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 64);
    uint64_t kept = 0;
    GatherMask(a, b, 1, true, 64, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Add<float, false>(c, a, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});  //~ WARNING gather-mask-mode: Add relies on the Counter mode
}
