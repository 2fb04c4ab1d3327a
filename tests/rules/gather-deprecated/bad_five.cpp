#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    GatherMask(dst, src, 1, false, {1, 1, 8, 0});  //~ WARNING gather-deprecated: with 5 arguments
}
