// Gather takes offsets in bytes: offsets in elements pick the wrong values.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 64;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void reverse_row(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> offsets;
    pipe.InitBuffer(in, 1, N * sizeof(float));
    pipe.InitBuffer(out, 1, N * sizeof(float));
    pipe.InitBuffer(offsets, N * sizeof(uint32_t));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, N);
    gy.SetGlobalBuffer((__gm__ float*)y, N);
    auto at = offsets.Get<uint32_t>();
    for (int32_t i = 0; i < N; i++) {
//+        at.SetValue(i, N - 1 - i);
        at.SetValue(i, (N - 1 - i) * sizeof(float));//-
    }
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, N);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
//+    Gather(r, t, at, 0, N);  //~ operands
    Gather(r, t, at, 0, N);//-
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<float>();
    DataCopy(gy, r, N);
    out.FreeTensor(r);
}
