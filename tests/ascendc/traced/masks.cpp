// Forms with masks: a number of lanes, two words, a mask that is set before, and counter mode.
#include "kernel_operator.h"
using namespace AscendC;

class Masks {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        x_.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 512, 512);
        y_.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 512, 512);
        pipe_.InitBuffer(in_, 1, 512 * sizeof(float));
        pipe_.InitBuffer(out_, 1, 512 * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        auto x = in_.AllocTensor<float>();
        DataCopy(x, x_, 512);
        in_.EnQue(x);
        x = in_.DeQue<float>();
        auto y = out_.AllocTensor<float>();
        Duplicate(y, 0.0f, 512);
        // two repeats of 40 lanes
        Adds(y, x, 1.0f, 40, 2, {1, 1, 8, 8});
        // every other lane of two repeats
        uint64_t words[2] = {0x5555555555555555ULL, 0};
        Muls(y[128], x[128], 2.0f, words, 2, {1, 1, 8, 8});
        // the same lanes again, by the mask that is set
        SetVectorMask<float>(0, 0x5555555555555555ULL);
        Add<float, false>(y[256], x[256], x[256], MASK_PLACEHOLDER, 2, {1, 1, 1, 8, 8, 8});
        ResetMask();
        // 100 elements by counter mode
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(0, 100);
        Exp<float, false>(y[384], x[384], MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        SetMaskNorm();
        ResetMask();
        in_.FreeTensor(x);
        out_.EnQue(y);
        y = out_.DeQue<float>();
        DataCopy(y_, y, 512);
        out_.FreeTensor(y);
    }

private:
    TPipe pipe_;
    TQue<QuePosition::VECIN, 1> in_;
    TQue<QuePosition::VECOUT, 1> out_;
    GlobalTensor<float> x_, y_;
};

// a2lint: launch(block_dim=2, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void masks(GM_ADDR x, GM_ADDR y)
{
    Masks op;
    op.Init(x, y);
    op.Process();
}
