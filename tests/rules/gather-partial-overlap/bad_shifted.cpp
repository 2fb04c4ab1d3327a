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
        GatherMask(data[64], data, 1, false, 0, {1, 4, 8, 0}, kept);  //~ ERROR gather-partial-overlap: written from byte 256 to 768 while bytes 0 to 1024
    }

private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
};
