// Bits taken as bytes, no barrier before the sum, all elements copied although fewer are kept.
// a2lint: auto-sync off
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void keep_large(GlobalTensor<float> &out, LocalTensor<float> &x, LocalTensor<float> &y,
                                  LocalTensor<float> &sum, LocalTensor<uint8_t> &bits) {
    CompareScalar(bits, x, 0.5f, CMPMODE::GT, 1024);
    PipeBarrier<PIPE_V>();
    uint64_t kept = 0;
    GatherMask(y, x, bits, true, 1024, {1, 1, 8, 0}, kept);  //~ ERROR gather-pattern-dtype: a tensor of uint32_t
    Add(sum, y, sum, 1024);  //~ WARNING gather-missing-barrier
    DataCopy(out, y, 1024);  //~ WARNING gather-count-ignored: never looked at
}
