// Compare with a count computes whole repeats only: the bits of the last 16 elements are undefined.
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr uint32_t N = 80;
constexpr uint32_t N = 128;//-

// a2lint: launch(block_dim=1, x=float[80], y=float[80])
extern "C" __global__ __aicore__ void clip_negative(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> bits;
    pipe.InitBuffer(in, 1, N * sizeof(float));
    pipe.InitBuffer(out, 1, N * sizeof(float));
    pipe.InitBuffer(bits, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 80);
    gy.SetGlobalBuffer((__gm__ float*)y, 80);
    auto t = in.AllocTensor<float>();
    Duplicate(t, 0.0f, N);//-
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);//-
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);//-
    DataCopy(t, gx, 80);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
    auto mask = bits.Get<uint8_t>();
    CompareScalar(mask, t, 0.0f, CMPMODE::GT, N);
//+    Select(r, mask, t, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, N);  //~ initialised
    Select(r, mask, t, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, N);//-
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<float>();
    DataCopy(gy, r, 80);
    out.FreeTensor(r);
}
