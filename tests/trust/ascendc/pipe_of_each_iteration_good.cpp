// An object with a pipe of its own is made anew in each iteration: the pipe before it has given back its event ids.
#include "kernel_operator.h"
using namespace AscendC;

class Added {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, int at)
    {
        gx.SetGlobalBuffer((__gm__ float*)x + at * 128);
        gy.SetGlobalBuffer((__gm__ float*)y + at * 128);
        pipe.InitBuffer(in, 2, 128);
        pipe.InitBuffer(out, 2, 128);
        for (int i = 0; i < 4; i++) {
            auto a = in.AllocTensor<float>();
            DataCopy(a, gx[i * 32], 32);
            in.EnQue(a);
            a = in.DeQue<float>();
            auto b = out.AllocTensor<float>();
            Adds(b, a, 1.0f, 32);
            out.EnQue(b);
            in.FreeTensor(a);
            b = out.DeQue<float>();
            DataCopy(gy[i * 32], b, 32);
            out.FreeTensor(b);
        }
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    GlobalTensor<float> gx, gy;
};

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y)
{
    if (GetBlockIdx() != 0) {
        return;
    }
    for (int p = 0; p < 8; p++) {
        Added op;
        op.Run(x, y, p);
    }
}
