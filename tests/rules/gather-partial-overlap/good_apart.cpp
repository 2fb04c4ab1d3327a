#include "kernel_operator.h"

using namespace AscendC;

class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(work, 2048);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> data = work.Get<float>();
        uint64_t kept = 0;
        GatherMask(data[256], data, 1, false, 0, {1, 4, 8, 0}, kept);
    }

private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
};
