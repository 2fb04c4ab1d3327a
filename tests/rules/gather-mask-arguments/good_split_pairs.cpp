// Splits interleaved (value, index) pairs into two tensors, as after a sort.
#include "kernel_operator.h"

namespace {
constexpr uint32_t PAIRS = 512;
constexpr uint32_t WORDS = 2 * PAIRS;
constexpr uint32_t LANES = 256 / sizeof(float);
constexpr uint16_t REPEATS = WORDS / LANES;
} // namespace

class SplitPairs {
public:
    __aicore__ inline void Init(GM_ADDR pairs, GM_ADDR values, GM_ADDR indices) {
        pairsGm.SetGlobalBuffer((__gm__ float *)pairs);
        valuesGm.SetGlobalBuffer((__gm__ float *)values);
        indicesGm.SetGlobalBuffer((__gm__ uint32_t *)indices);
        pipe.InitBuffer(inQueue, 1, WORDS * sizeof(float));
        pipe.InitBuffer(valueQueue, 1, PAIRS * sizeof(float));
        pipe.InitBuffer(indexQueue, 1, PAIRS * sizeof(uint32_t));
    }
    __aicore__ inline void Process() {
        AscendC::LocalTensor<float> in = inQueue.AllocTensor<float>();
        AscendC::DataCopy(in, pairsGm, WORDS);
        inQueue.EnQue(in);
        AscendC::LocalTensor<float> sorted = inQueue.DeQue<float>();
        AscendC::LocalTensor<float> values = valueQueue.AllocTensor<float>();
        AscendC::LocalTensor<uint32_t> indices = indexQueue.AllocTensor<uint32_t>();
        uint64_t kept = 0;
        AscendC::GatherMaskParams params{1, REPEATS, 8, 0};
        AscendC::GatherMask(values, sorted, 1, false, 0, params, kept);
        AscendC::GatherMask(indices, sorted.ReinterpretCast<uint32_t>(), 2, false, 0, params, kept);
        valueQueue.EnQue(values);
        indexQueue.EnQue(indices);
        values = valueQueue.DeQue<float>();
        indices = indexQueue.DeQue<uint32_t>();
        AscendC::DataCopy(valuesGm, values, PAIRS);
        AscendC::DataCopy(indicesGm, indices, PAIRS);
        valueQueue.FreeTensor(values);
        indexQueue.FreeTensor(indices);
        inQueue.FreeTensor(sorted);
    }

private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> valueQueue, indexQueue;
    AscendC::GlobalTensor<float> pairsGm, valuesGm;
    AscendC::GlobalTensor<uint32_t> indicesGm;
};

extern "C" __global__ __aicore__ void split_pairs(GM_ADDR pairs, GM_ADDR values, GM_ADDR indices) {
    SplitPairs op;
    op.Init(pairs, values, indices);
    op.Process();
}

void split_pairs_do(uint32_t blocks, void *stream, uint8_t *p, uint8_t *v, uint8_t *i) {
    split_pairs<<<blocks, nullptr, stream>>>(p, v, i);
}
