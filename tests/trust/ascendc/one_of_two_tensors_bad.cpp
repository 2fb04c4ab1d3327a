// One of the two memories is too small for what is copied to it.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512], n=8)
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT k.operands: refuted
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(first, 256);
    pipe.InitBuffer(second, 128);
    LocalTensor<float> ping = first.Get<float>();
    LocalTensor<float> pong = second.Get<float>();
    for (uint32_t i = 0; i < n; i++) {
        LocalTensor<float> tile = i % 2 == 0 ? ping : pong;
        DataCopy(tile, from[i * 64], 64); //~ ERROR operand-overrun: past the end of `tile`
        PipeBarrier<PIPE_ALL>();
        DataCopy(to[i * 64], tile, 32); //~ ERROR output-hole: never stored
        PipeBarrier<PIPE_ALL>();
    }
}
