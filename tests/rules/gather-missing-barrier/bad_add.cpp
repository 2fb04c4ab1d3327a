#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    GatherMask(sum, src, 2, false, 0, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Adds(sum, sum, 1.0f, 32);
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    Add(sum, dst, sum, 32);  //~ WARNING gather-missing-barrier: Add reads `dst` right after
}
