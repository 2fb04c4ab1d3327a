// The same with the mistakes people make: half of the pairs, an old stride, a 32-bit count.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t PAIRS = 512;
constexpr uint32_t WORDS = 2 * PAIRS;

class SplitPairs {
public:
    __aicore__ inline void Init() {
        pipe.InitBuffer(inQueue, 1, WORDS * sizeof(float));
        pipe.InitBuffer(valueQueue, 1, PAIRS / 2 * sizeof(float));
    }
    __aicore__ inline void Process() {
        LocalTensor<float> sorted = inQueue.DeQue<float>();
        LocalTensor<float> values = valueQueue.AllocTensor<float>();
        uint32_t kept = 0;
        GatherMaskParams params{1, WORDS / 64, 1, 0};  //~ WARNING gather-repeat-overlap
        GatherMask(values, sorted, 1, false, 0, params, kept);  //~ ERROR gather-count-type
        //~^ ERROR gather-destination-bounds: keeps 512 of 1024 elements, and `values` holds 256
        valueQueue.EnQue(values);
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> valueQueue;
};
