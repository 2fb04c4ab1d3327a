#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void take(LocalTensor<half> &dst, LocalTensor<half> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 7, true, 100, {1, 1, 8, 0}, kept);  //~ ERROR gather-pattern-product
}

struct Registration {
    Registration() {
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend310p");
    }
};
