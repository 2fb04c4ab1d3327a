// A row is padded by at most 32 bytes on each side.
#include "kernel_operator.h"
using namespace AscendC;

template <int LEFT>
__aicore__ inline void Padded(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 128 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 96);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 104);
    LocalTensor<float> a = buf.Get<float>();
    DataCopyPad(a, xGm, {1, 96 * sizeof(float), 0, 0, 0}, {true, LEFT, 0, 0.0f}); //~ ERROR repeat-range: by 9 elements
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, 104);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void by_nine(GM_ADDR x, GM_ADDR y)
{
    Padded<9>(x, y);
}

extern "C" __global__ __aicore__ void by_eight(GM_ADDR x, GM_ADDR y)
{
    Padded<8>(x, y);
}
