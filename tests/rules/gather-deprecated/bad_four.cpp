#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    GatherMaskParams params{1, 1, 8, 0};
    GatherMask(dst, src, 1, params);  //~ WARNING gather-deprecated: with 4 arguments
}
