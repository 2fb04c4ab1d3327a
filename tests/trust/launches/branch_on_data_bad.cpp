// Data decides about branches and a size, and a race beside them does not depend on it: the invented data are zeros.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void keep(GM_ADDR x, GM_ADDR flags, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf, other;
    pipe.InitBuffer(buf, 256);
    pipe.InitBuffer(other, 256);
    GlobalTensor<float> gx, gy;
    GlobalTensor<int32_t> gf;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gf.SetGlobalBuffer((__gm__ int32_t*)flags);
    gy.SetGlobalBuffer((__gm__ float*)y);
    auto a = buf.Get<float>();
    auto b = other.Get<float>();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        Duplicate(a, 0.0f, 64);
        DataCopy(gy[row * 64], a, 64);  //~ WARNING race: on MTE3 while Duplicate() may still be writing it on V
        if (gf.GetValue(row) > 0) {
            DataCopy(b, gx[row * 64], 64);
            PipeBarrier<PIPE_ALL>();
            Adds(b, b, 1.0f, gf.GetValue(row));
            PipeBarrier<PIPE_ALL>();
            DataCopy(gy[row * 64], b, 64);
        }
        PipeBarrier<PIPE_ALL>();
    }
}
