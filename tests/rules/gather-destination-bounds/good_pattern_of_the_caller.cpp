#include "kernel_operator.h"

using namespace AscendC;

class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 32 * sizeof(float));
        pipe.InitBuffer(patternBuf, 32);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
        GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
        outQueue.EnQue(dst);
        inQueue.FreeTensor(src);
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> patternBuf;
};
