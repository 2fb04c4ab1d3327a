#include "kernel_operator.h"

using namespace AscendC;

class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(inQueue, 1, 512);
        pipe.InitBuffer(outQueue, 1, 512);
    }
    __aicore__ inline void Compute() {
        LocalTensor<half> src = inQueue.DeQue<half>();
        LocalTensor<half> dst = outQueue.AllocTensor<half>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);  //~ ERROR gather-position: src0Local is at A1
        outQueue.EnQue(dst);
        inQueue.FreeTensor(src);
    }

private:
    TPipe pipe;
    TQue<TPosition::A1, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
