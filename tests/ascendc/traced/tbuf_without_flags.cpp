// A buffer without a queue and without flags: nothing orders the load, the work on it and the store.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 1024;

// a2lint: launch(block_dim=4, x=float[4096], y=float[4096])
extern "C" __global__ __aicore__ void abs_unordered(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, N * sizeof(float));
    LocalTensor<float> t = buf.Get<float>();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * N, N);
    gy.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * N, N);
    DataCopy(t, gx, N);
    Abs(t, t, N);  //~ ERROR race: nothing orders MTE2→V
    DataCopy(gy, t, N);  //~ ERROR race: nothing orders V→MTE3
}
