// The queue is smaller in one of two arms, and the load is not.
#include "kernel_operator.h"
using namespace AscendC;

class Shifted {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t hasScale)
    {
        n_ = n;
        hasScale_ = hasScale;
        gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * (n + 8));
        gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * n);
        if (hasScale) {
            pipe.InitBuffer(in, 2, (n + 8) * sizeof(float));
            pipe.InitBuffer(out, 1, n * sizeof(float));
            pipe.InitBuffer(work, 64);
        } else {
            pipe.InitBuffer(in, 2, n * sizeof(float));
            pipe.InitBuffer(out, 1, n * sizeof(float));
            pipe.InitBuffer(work, 32);
        }
    }
    __aicore__ inline void Process()
    {
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx, n_ + 8);  //~ ERROR operand-overrun: DataCopy
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        auto w = work.Get<float>();
        Duplicate(w, 2.0f, 8);
        PipeBarrier<PIPE_V>();
        Muls(b, a, 3.0f, n_);
        PipeBarrier<PIPE_V>();
        Add(b, b, w, 8);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy, b, n_);
        out.FreeTensor(b);
    }

private:
    TPipe pipe;
    uint32_t n_, hasScale_;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> work;
    GlobalTensor<float> gx, gy;
};

// a2lint: launch(block_dim=3, n=64, hasScale=1, x=float[216], y=float[192])
// a2lint: launch(block_dim=3, n=64, hasScale=0, x=float[216], y=float[192])
extern "C" __global__ __aicore__ void shift(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t hasScale)
{
    Shifted op;
    op.Init(x, y, n, hasScale);
    op.Process();
}
