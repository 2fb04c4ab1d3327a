// The chosen part may be the one that is still in use, and a part that is set by number changes which one is meant.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512], tiles=8)
extern "C" __global__ __aicore__ void same_half(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, tiles * 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, tiles * 64);
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> all = buf.Get<float>();
    LocalTensor<float> halves[2] = {all, all[64]};
    uint32_t part = 0;
    for (uint32_t i = 0; i < tiles; ++i) {
        DataCopy(halves[part], xGm[i * 64], 64);  //~ ERROR race
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(yGm[i * 64], halves[part], 64);
        part = (part + 2) % 2;
    }
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[128], y=float[64], first=1)
extern "C" __global__ __aicore__ void set_by_number(GM_ADDR x, GM_ADDR y, uint32_t first)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 128);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> all = buf.Get<float>();
    GlobalTensor<float> from[2] = {xGm, xGm};
    from[first] = xGm[96];
    DataCopy(all, from[1], 64);  //~ ERROR gm-out-of-bounds
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 64);
}
