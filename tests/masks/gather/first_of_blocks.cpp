// One element of every block: Counter mode with a repeat for each, stride 1 on purpose.
#include "kernel_operator.h"

using namespace AscendC;

class FirstOfBlocks {
public:
    __aicore__ inline void Init() {
        pipe.InitBuffer(inQueue, 2, ROWS * BLOCK * sizeof(float));
        pipe.InitBuffer(outQueue, 2, ROWS * sizeof(float));
    }
    __aicore__ inline void Compute() {
        auto in = inQueue.DeQue<float>();
        auto out = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(out, in, 1, true, 1, {1, ROWS, 1, 0}, kept);
        outQueue.EnQue<float>(out);
        inQueue.FreeTensor(in);
    }

private:
    enum : uint32_t { BLOCK = 8, ROWS = 64 };
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
};
