// Softmax over all elements in two phases: each core leaves a maximum and a sum in a workspace, then all read all.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t PART = 512;
constexpr uint32_t SLOT = 8;

class GlobalSoftmax {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
    {
        cores_ = GetBlockNum();
        x_.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * PART, PART);
        y_.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * PART, PART);
        sums_.SetGlobalBuffer((__gm__ float*)workspace, cores_ * SLOT);
        pipe_.InitBuffer(in_, 1, PART * sizeof(float));
        pipe_.InitBuffer(out_, 1, PART * sizeof(float));
        pipe_.InitBuffer(ownOut_, 1, SLOT * sizeof(float));
        pipe_.InitBuffer(allIn_, 1, cores_ * SLOT * sizeof(float));
        pipe_.InitBuffer(work_, PART * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        auto a = in_.AllocTensor<float>();
        DataCopy(a, x_, PART);
        in_.EnQue(a);
        a = in_.DeQue<float>();
        auto b = out_.AllocTensor<float>();
        Exp(b, a, PART);
        in_.FreeTensor(a);
        auto own = ownOut_.AllocTensor<float>();
        Duplicate(own, 0.0f, SLOT);
        ReduceSum(own, b, work_.Get<float>(), PART);
        ownOut_.EnQue(own);
        own = ownOut_.DeQue<float>();
        DataCopy(sums_[GetBlockIdx() * SLOT], own, SLOT);
        ownOut_.FreeTensor(own);
        SyncAll();
        auto all = allIn_.AllocTensor<float>();
        DataCopy(all, sums_, cores_ * SLOT);
        allIn_.EnQue(all);
        all = allIn_.DeQue<float>();
        float total = 0.0f;
        for (uint32_t core = 0; core < cores_; core++) {
            total += all.GetValue(core * SLOT);
        }
        allIn_.FreeTensor(all);
        Muls(b, b, 1.0f / total, PART);
        out_.EnQue(b);
        b = out_.DeQue<float>();
        DataCopy(y_, b, PART);
        out_.FreeTensor(b);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_, allIn_;
    TQue<TPosition::VECOUT, 1> out_, ownOut_;
    TBuf<TPosition::VECCALC> work_;
    GlobalTensor<float> x_, y_, sums_;
    uint32_t cores_;
};

// a2lint: launch(block_dim=4, x=float[2048], y=float[2048], workspace=float[32])
extern "C" __global__ __aicore__ void global_softmax(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GlobalSoftmax op;
    op.Init(x, y, workspace);
    op.Process();
}
