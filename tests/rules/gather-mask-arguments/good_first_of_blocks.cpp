// One element of every block: Counter mode with a repeat for each, stride 1 on purpose.
#include "kernel_operator.h"

using namespace AscendC;

class FirstOfBlocks {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 2, ROWS * BLOCK * sizeof(float));
        pipe.InitBuffer(outQueue, 2, ROWS * sizeof(float));
    }
    __aicore__ inline void Compute() {
        auto in = inQueue.AllocTensor<float>();
        DataCopy(in, gx, ROWS * BLOCK);
        inQueue.EnQue(in);
        in = inQueue.DeQue<float>();
        auto out = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(out, in, 1, true, 1, {1, ROWS, 1, 0}, kept);
        outQueue.EnQue<float>(out);
        out = outQueue.DeQue<float>();
        DataCopy(gy, out, ROWS);
        outQueue.FreeTensor(out);
        inQueue.FreeTensor(in);
    }

private:
    enum : uint32_t { BLOCK = 8, ROWS = 64 };
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<QuePosition::VECIN, 2> inQueue;
    TQue<QuePosition::VECOUT, 2> outQueue;
};

// a2lint: launch(block_dim=1, x=float[512], y=float[64])
extern "C" __global__ __aicore__ void first_of_blocks(GM_ADDR x, GM_ADDR y)
{
    FirstOfBlocks op;
    op.Init(x, y);
    op.Compute();
}
