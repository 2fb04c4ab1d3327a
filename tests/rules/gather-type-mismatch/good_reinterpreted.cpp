#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<int32_t> &dst, LocalTensor<uint32_t> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src.ReinterpretCast<int32_t>(), 1, false, 0, {1, 1, 8, 0}, kept);
}
