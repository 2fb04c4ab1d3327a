// A queue of depth 1 keeps one tensor: the second EnQue replaces the first one, which is never dequeued.
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr int32_t DEPTH = 1;
constexpr int32_t DEPTH = 2;//-

class Differences {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, TPipe& pipe)
    {
        a_.SetGlobalBuffer((__gm__ float*)a, LEN);
        b_.SetGlobalBuffer((__gm__ float*)b, LEN);
        c_.SetGlobalBuffer((__gm__ float*)c, LEN);
        pipe.InitBuffer(in_, 2, LEN * sizeof(float));
        pipe.InitBuffer(out_, 1, LEN * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        CopyIn(a_);
        CopyIn(b_);
        Compute();
        CopyOut();
    }

private:
    __aicore__ inline void CopyIn(GlobalTensor<float>& from)
    {
        LocalTensor<float> t = in_.AllocTensor<float>();
        DataCopy(t, from, LEN);
//+        in_.EnQue(t);  //~ progress
        in_.EnQue(t);//-
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<float> a = in_.DeQue<float>();
        LocalTensor<float> b = in_.DeQue<float>();
        LocalTensor<float> c = out_.AllocTensor<float>();
        Sub(c, a, b, LEN);
        out_.EnQue<float>(c);
        in_.FreeTensor(a);
        in_.FreeTensor(b);
    }
    __aicore__ inline void CopyOut()
    {
        LocalTensor<float> c = out_.DeQue<float>();
        DataCopy(c_, c, LEN);
        out_.FreeTensor(c);
    }

    static constexpr uint32_t LEN = 320;
    TQue<QuePosition::VECIN, DEPTH> in_;
    TQue<QuePosition::VECOUT, 1> out_;
    GlobalTensor<float> a_, b_, c_;
};

// a2lint: launch(block_dim=1, a=float[320], b=float[320], c=float[320])
extern "C" __global__ __aicore__ void difference(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    TPipe pipe;
    Differences op;
    op.Init(a, b, c, pipe);
    op.Process();
}
