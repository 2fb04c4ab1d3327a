#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint8_t> &bits) {
    uint64_t kept = 0;
    CompareScalar(bits, src, 0.0f, CMPMODE::GT, 64);
    PipeBarrier<PIPE_V>();
    GatherMask(dst, src, bits, true, 64, {1, 1, 8, 0}, kept);  //~ ERROR gather-pattern-dtype: `bits` is uint8_t
}
