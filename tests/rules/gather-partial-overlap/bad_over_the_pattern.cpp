#include "kernel_operator.h"

using namespace AscendC;

class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(work, 2048);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> data = work.Get<float>();
        LocalTensor<uint32_t> pattern = work.GetWithOffset<uint32_t>(8, 1024);
        uint64_t kept = 0;
        GatherMask(data[256], data, pattern, false, 0, {1, 4, 8, 0}, kept);  //~ ERROR gather-partial-overlap: read through `pattern`
    }

private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
};
