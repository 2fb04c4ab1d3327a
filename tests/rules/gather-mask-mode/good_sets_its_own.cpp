#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &a, LocalTensor<float> &b, LocalTensor<float> &c) {
    SetMaskCount();
    uint64_t kept = 0;
    GatherMask(a, b, 1, true, 64, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Add(c, a, b, 64);
}
