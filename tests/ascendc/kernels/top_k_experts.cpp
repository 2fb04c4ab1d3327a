// The 8 largest of 32 logits in each row, and where they are: one sort for each row, then records are taken apart.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t EXPERTS = 32;
constexpr uint32_t KEPT = 8;

class TopKExperts {
public:
    __aicore__ inline void Init(GM_ADDR logits, GM_ADDR values, GM_ADDR ids, uint32_t tokens)
    {
        tokens_ = tokens;
        logitsGm_.SetGlobalBuffer((__gm__ float*)logits, tokens * EXPERTS);
        valuesGm_.SetGlobalBuffer((__gm__ float*)values, tokens * KEPT);
        idsGm_.SetGlobalBuffer((__gm__ int32_t*)ids, tokens * KEPT);
        pipe_.InitBuffer(logitsQue_, 2, EXPERTS * sizeof(float));
        pipe_.InitBuffer(valuesQue_, 2, EXPERTS * sizeof(float));
        pipe_.InitBuffer(idsQue_, 2, EXPERTS * sizeof(int32_t));
        pipe_.InitBuffer(indexBuf_, EXPERTS * sizeof(int32_t));
        pipe_.InitBuffer(recordBuf_, EXPERTS * 8);
    }
    __aicore__ inline void Process()
    {
        LocalTensor<int32_t> index = indexBuf_.Get<int32_t>();
        CreateVecIndex(index, 0, EXPERTS);
        for (uint32_t token = GetBlockIdx(); token < tokens_; token += GetBlockNum()) {
            CopyIn(token);
            Compute(index.ReinterpretCast<uint32_t>());
            CopyOut(token);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t token)
    {
        auto logits = logitsQue_.AllocTensor<float>();
        DataCopy(logits, logitsGm_[token * EXPERTS], EXPERTS);
        logitsQue_.EnQue(logits);
    }
    __aicore__ inline void Compute(const LocalTensor<uint32_t>& index)
    {
        auto logits = logitsQue_.DeQue<float>();
        auto records = recordBuf_.Get<float>();
        auto values = valuesQue_.AllocTensor<float>();
        auto ids = idsQue_.AllocTensor<int32_t>();
        Sort32(records, logits, index, 1);
        logitsQue_.FreeTensor(logits);
        uint64_t kept = 0;
        GatherMask(values, records, 1, false, 0, {1, 1, 8, 0}, kept);
        GatherMask(ids, records.ReinterpretCast<int32_t>(), 2, false, 0, {1, 1, 8, 0}, kept);
        valuesQue_.EnQue(values);
        idsQue_.EnQue(ids);
    }
    __aicore__ inline void CopyOut(uint32_t token)
    {
        auto values = valuesQue_.DeQue<float>();
        auto ids = idsQue_.DeQue<int32_t>();
        DataCopy(valuesGm_[token * KEPT], values, KEPT);
        DataCopy(idsGm_[token * KEPT], ids, KEPT);
        valuesQue_.FreeTensor(values);
        idsQue_.FreeTensor(ids);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> logitsQue_;
    TQue<TPosition::VECOUT, 1> valuesQue_, idsQue_;
    TBuf<TPosition::VECCALC> indexBuf_, recordBuf_;
    GlobalTensor<float> logitsGm_, valuesGm_;
    GlobalTensor<int32_t> idsGm_;
    uint32_t tokens_;
};

// a2lint: launch(block_dim=2, logits=float[5, 32], values=float[5, 8], ids=int[5, 8], tokens=5)
extern "C" __global__ __aicore__ void top_k_experts(GM_ADDR logits, GM_ADDR values, GM_ADDR ids, uint32_t tokens)
{
    TopKExperts op;
    op.Init(logits, values, ids, tokens);
    op.Process();
}
