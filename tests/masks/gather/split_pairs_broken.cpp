// The same with the mistakes people make: half of the pairs, an old stride.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t PAIRS = 512;
constexpr uint32_t WORDS = 2 * PAIRS;

class SplitPairs {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, WORDS * sizeof(float));
        pipe.InitBuffer(valueQueue, 1, PAIRS / 2 * sizeof(float));
    }
    __aicore__ inline void Process() {
        LocalTensor<float> sorted = inQueue.AllocTensor<float>();
        DataCopy(sorted, gx, WORDS);
        inQueue.EnQue(sorted);
        sorted = inQueue.DeQue<float>();
        LocalTensor<float> values = valueQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMaskParams params{1, WORDS / 64, 1, 0};
        GatherMask(values, sorted, 1, false, 0, params, kept);
        //~^ ERROR operand-overrun: GatherMask() writes 256 elements past the end of `values`
        //~^^ WARNING gather-mask-arguments: 16 repeats of `GatherMask` start 8 elements apart and

        valueQueue.EnQue(values);
        values = valueQueue.DeQue<float>();
        DataCopy(gy, values, PAIRS / 2);
        valueQueue.FreeTensor(values);
        inQueue.FreeTensor(sorted);
    }

private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> valueQueue;
};

// a2lint: launch(block_dim=1, x=float[1024], y=float[256])
extern "C" __global__ __aicore__ void split_pairs_broken(GM_ADDR x, GM_ADDR y)
{
    SplitPairs op;
    op.Init(x, y);
    op.Process();
}
