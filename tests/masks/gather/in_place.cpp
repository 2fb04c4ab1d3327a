// Compaction in place, tails in Counter mode, the count handed to the caller.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline uint32_t compact(LocalTensor<int32_t> &ids, LocalTensor<uint32_t> &bits, uint32_t count) {
    uint64_t kept = 0;
    GatherMaskParams params{1, 1, 8, 0};
    GatherMask(ids, ids, bits, true, count, params, kept);
    PipeBarrier<PIPE_V>();
    return static_cast<uint32_t>(kept);
}
