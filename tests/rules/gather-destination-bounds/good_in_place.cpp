#include "kernel_operator.h"

using namespace AscendC;

class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(inQueue, 1, 128 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 8 * sizeof(float));
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.DeQue<float>();
        uint64_t kept = 0;
        GatherMask(src, src, 2, false, 0, {1, 2, 8, 0}, kept);
        inQueue.FreeTensor(src);
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
