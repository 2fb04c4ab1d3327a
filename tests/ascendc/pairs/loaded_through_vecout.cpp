// The events of a queue are those of its position: VECOUT orders V before the store, not a load before V.
#include "kernel_operator.h"

namespace {
constexpr uint32_t BYTES = 1024;
//+using Queue = AscendC::TQue<AscendC::TPosition::VECOUT, 1>;
using Queue = AscendC::TQue<AscendC::TPosition::VECIN, 1>;//-
using OutQueue = AscendC::TQue<AscendC::TPosition::VECOUT, 1>;
}  // namespace

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void reciprocals(GM_ADDR x, GM_ADDR y)
{
    AscendC::TPipe pipe;
    Queue in;
    OutQueue out;
    pipe.InitBuffer(in, 1, BYTES);
    pipe.InitBuffer(out, 1, BYTES);
    AscendC::GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 256);
    gy.SetGlobalBuffer((__gm__ float*)y, 256);
    auto t = in.AllocTensor<float>();
    AscendC::DataCopy(t, gx, 256);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
//+    AscendC::Reciprocal(r, t, 256);  //~ order
    AscendC::Reciprocal(r, t, 256);//-
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<float>();
    AscendC::DataCopy(gy, r, 256);
    out.FreeTensor(r);
}
