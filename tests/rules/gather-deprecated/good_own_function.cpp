#include "kernel_operator.h"

using namespace AscendC;

struct MyParams {
    uint32_t repeat;
};

// A function of the project's own that has the same name.
__aicore__ inline void GatherMask(__ubuf__ uint32_t *dst, __ubuf__ uint32_t *src, __ubuf__ uint32_t *pattern, MyParams &params) {
    vreducev2(dst, src, pattern, params.repeat, 1, 0, 8, 0);
}

__aicore__ inline void collect(__ubuf__ uint32_t *dst, __ubuf__ uint32_t *src, __ubuf__ uint32_t *pattern) {
    MyParams params;
    params.repeat = 4;
    GatherMask(dst, src, pattern, params);
}

__aicore__ inline void split(LocalTensor<float> &even, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(even, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
