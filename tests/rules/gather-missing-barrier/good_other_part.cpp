#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &all, LocalTensor<float> &src, LocalTensor<float> &sum, int32_t half) {
    uint64_t kept = 0;
    PipeBarrier<PIPE_V>();
    GatherMask(all[half], src, 1, false, 0, {1, 1, 8, 0}, kept);
    Add(sum, all, sum, 32);
}
