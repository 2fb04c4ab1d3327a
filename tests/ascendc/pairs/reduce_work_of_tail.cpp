// ReduceMin without an index needs room for a pair of each repeat: half of that is given.
#include "kernel_operator.h"
using namespace AscendC;

class Smallest {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, uint32_t n)
    {
        const uint32_t repeats = n / 64;
//+        const uint32_t room = repeats;
        const uint32_t room = 2 * repeats;//-
        x_.SetGlobalBuffer((__gm__ float*)x, n);
        y_.SetGlobalBuffer((__gm__ float*)y, 8);
        pipe_.InitBuffer(in_, 1, n * sizeof(float));
        pipe_.InitBuffer(out_, 1, 32);
        pipe_.InitBuffer(work_, room * sizeof(float));
        auto a = in_.AllocTensor<float>();
        DataCopy(a, x_, n);
        in_.EnQue(a);
        a = in_.DeQue<float>();
        auto b = out_.AllocTensor<float>();
        Duplicate(b, 0.0f, 8);
//+        ReduceMin(b, a, work_.Get<float>(), n);  //~ operands
        ReduceMin(b, a, work_.Get<float>(), n);//-
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.DeQue<float>();
        DataCopy(y_, b, 8);
        out_.FreeTensor(b);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> work_;
    GlobalTensor<float> x_, y_;
};

// a2lint: launch(block_dim=1, x=float[2048], y=float[8], n=2048)
extern "C" __global__ __aicore__ void smallest(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Smallest op;
    op.Process(x, y, n);
}
