// A tensor that a condition chooses among two memories: what follows is examined for each of them.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512], n=8)
extern "C" __global__ __aicore__ void alternating(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT alternating.operands: proved
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(first, 256);
    pipe.InitBuffer(second, 256);
    LocalTensor<float> ping = first.Get<float>();
    LocalTensor<float> pong = second.Get<float>();
    int flag = 0;
    for (uint32_t i = 0; i < n; i++) {
        LocalTensor<float> tile = flag ? pong : ping;
        DataCopy(tile, from[i * 64], 64);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[i * 64], tile, 64);
        PipeBarrier<PIPE_ALL>();
        flag = 1 - flag;
    }
}

// The queue exists, and is used, where `has` says so.
// a2lint: launch(block_dim=1, x=float[512], t=float[512], y=float[512], n=8, has=1)
// a2lint: launch(block_dim=1, x=float[512], t=float[512], y=float[512], n=8, has=0)
extern "C" __global__ __aicore__ void optional(GM_ADDR x, GM_ADDR t, GM_ADDR y, uint32_t n, uint32_t has) //~ VERDICT optional.operands: proved-if
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in, more;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> ones;
    GlobalTensor<float> from, added, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    added.SetGlobalBuffer((__gm__ float *)t);
    to.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    pipe.InitBuffer(ones, 256);
    if (has) {
        pipe.InitBuffer(more, 1, 256);
    }
    for (uint32_t i = 0; i < n; i++) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, from[i * 64], 64);
        in.EnQue(a);
        if (has) {
            LocalTensor<float> b = more.AllocTensor<float>();
            DataCopy(b, added[i * 64], 64);
            more.EnQue(b);
        }
        a = in.DeQue<float>();
        LocalTensor<float> c = out.AllocTensor<float>();
        LocalTensor<float> b;
        if (has) {
            b = more.DeQue<float>();
        } else {
            b = ones.Get<float>();
            Duplicate(b, 1.0f, 64);
        }
        PipeBarrier<PIPE_V>();
        Add(c, a, b, 64);
        out.EnQue(c);
        in.FreeTensor(a);
        if (has) {
            more.FreeTensor(b);
        }
        c = out.DeQue<float>();
        DataCopy(to[i * 64], c, 64);
        out.FreeTensor(c);
    }
}
