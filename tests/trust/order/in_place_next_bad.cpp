// The tile is the one that the iteration before has stored, and its store may still be on its way
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void in_place(GM_ADDR x, uint32_t tiles)
{
    //~ VERDICT order: open
    TPipe pipe;
    GlobalTensor<float> g;
    g.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * (tiles + 1) * 256, (tiles + 1) * 256);
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 1024);
    pipe.InitBuffer(out, 1, 1024);
    for (uint32_t i = 0; i < tiles; i++) {
        LocalTensor<float> t = in.AllocTensor<float>();
        DataCopy(t, g[i * 256], 256);  //~ WARNING race: may still be writing it
        in.EnQue(t);
        LocalTensor<float> p = in.DeQue<float>();
        LocalTensor<float> q = out.AllocTensor<float>();
        Muls(q, p, 2.0f, 256);
        in.FreeTensor(p);
        out.EnQue(q);
        LocalTensor<float> r = out.DeQue<float>();
        DataCopy(g[i * 256 + 256], r, 256);
        out.FreeTensor(r);
    }
}
