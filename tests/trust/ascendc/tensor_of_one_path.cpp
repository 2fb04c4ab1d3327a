// A tensor of an array that one path alone prepares.
#include "kernel_operator.h"
using namespace AscendC;
// a2lint: launch(block_dim=1, n=8, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void one_path(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> in;
    pipe.InitBuffer(in, 256);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> t[2];
    if (n > 4) {
        t[0] = in.Get<float>();
    }
    DataCopy(t[0], from, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, t[0], 64);
    PipeBarrier<PIPE_ALL>();
}
//~ VERDICT one_path.scalars: tested
