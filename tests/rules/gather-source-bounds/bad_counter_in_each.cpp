// a2lint: device b3
#include "kernel_operator.h"

using namespace AscendC;

class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(inQueue, 1, LENGTH * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 256 * sizeof(float));
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, true, 128, {1, 2, 8, 0}, kept);  //~ ERROR gather-source-bounds: read up to element 191
        outQueue.EnQue(dst);
        inQueue.FreeTensor(src);
    }

private:
    static constexpr uint32_t LENGTH = 128;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
