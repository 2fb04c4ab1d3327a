// An array of parts of one tensor, of which a number that changes from round to round chooses one.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512], tiles=8)
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, tiles * 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, tiles * 64);
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> all = buf.Get<float>();
    LocalTensor<float> halves[2] = {all, all[64]};
    bool flag = false;
    for (uint32_t i = 0; i < tiles; ++i) {
        DataCopy(halves[flag], xGm[i * 64], 64);
        PipeBarrier<PIPE_ALL>();
        DataCopy(yGm[i * 64], halves[flag], 64);
        PipeBarrier<PIPE_ALL>();
        flag = !flag;
    }
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128], first=1)
extern "C" __global__ __aicore__ void regions(GM_ADDR x, GM_ADDR y, uint32_t first)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> from[2], to[2];
    for (int i = 0; i < 2; ++i) {
        from[i].SetGlobalBuffer((__gm__ float *)x + i * 64, 64);
        to[i].SetGlobalBuffer((__gm__ float *)y + i * 64, 64);
    }
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, from[first], 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to[1 - first], all, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(all, from[1 - first], 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to[first], all, 64);
}
