#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(GlobalTensor<float> &out, LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern, LocalTensor<float> &bound) {
    uint64_t kept = 0;
    Compare(pattern, src, bound, CMPMODE::LT, 64);
    GatherMask(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);
    DataCopy(out, dst, 64);  //~ WARNING gather-count-ignored: 64 elements of `dst` are copied, and `kept`
}
