// Seen as smaller elements, a tensor has more of them; seen as larger ones, fewer. The same bytes are still raced for.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[128], y=half[128])
extern "C" __global__ __aicore__ void too_many(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, 128);
    yGm.SetGlobalBuffer((__gm__ half *)y, 128);
    pipe.InitBuffer(buf, 256);
    LocalTensor<half> all = buf.Get<half>();
    DataCopy(all, xGm, 128);
    PipeBarrier<PIPE_ALL>();
    auto &words = *reinterpret_cast<LocalTensor<int32_t> *>(&all);
    Adds(words, words, 1, 128);  //~ ERROR operand-overrun
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 128);
}

// a2lint: launch(block_dim=1, x=int32[64], y=int32[64])
extern "C" __global__ __aicore__ void unordered(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<int32_t> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ int32_t *)x, 64);
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, 64);
    pipe.InitBuffer(buf, 256);
    LocalTensor<int32_t> all = buf.Get<int32_t>();
    DataCopy(all, xGm, 64);
    auto &bits = reinterpret_cast<LocalTensor<uint32_t> &>(all);
    ShiftRight(bits, bits, 31U, 64);  //~ ERROR race
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 64);
}
