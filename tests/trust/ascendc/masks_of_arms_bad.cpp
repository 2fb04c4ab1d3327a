// Each arm counts the lanes that later calls use: where one of them leaves lanes out, what these hold is undefined.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=float[128], y=float[128], lanes=20)
extern "C" __global__ __aicore__ void left_out(GM_ADDR x, GM_ADDR y, uint32_t lanes) //~ VERDICT left_out.initialised: refuted
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    TPipe pipe;
    TBuf<> first, second;
    pipe.InitBuffer(first, 256);
    pipe.InitBuffer(second, 256);
    LocalTensor<float> a = first.Get<float>();
    LocalTensor<float> c = second.Get<float>();
    DataCopy(a, from, 64);
    PipeBarrier<PIPE_ALL>();
    if (lanes > 32) {
        SetVectorMask<float, MaskMode::NORMAL>(64);
    } else {
        SetVectorMask<float, MaskMode::NORMAL>(lanes);
    }
    Adds<float, false>(c, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    ResetMask();
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, c, 64); //~ ERROR uninitialized-read: stores undefined elements of `c`
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128], rounds=3)
extern "C" __global__ __aicore__ void narrow(GM_ADDR x, GM_ADDR y, uint32_t rounds) //~ VERDICT narrow.initialised: refuted
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    TPipe pipe;
    TBuf<> first, second;
    pipe.InitBuffer(first, 256);
    pipe.InitBuffer(second, 256);
    LocalTensor<float> a = first.Get<float>();
    LocalTensor<float> c = second.Get<float>();
    DataCopy(a, from, 64);
    PipeBarrier<PIPE_ALL>();
    SetVectorMask<float, MaskMode::NORMAL>(0, 0xff);
    for (uint32_t i = 0; i < rounds; i++) {
        PipeBarrier<PIPE_V>();
        Adds<float, false>(c, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    }
    ResetMask();
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, c, 64); //~ ERROR uninitialized-read: stores undefined elements of `c`
}
