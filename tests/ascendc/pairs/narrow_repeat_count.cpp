// The repeat count has eight bits: 300 repeats are 44.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t REPEATS = 300;
constexpr uint32_t TOTAL = REPEATS * 64;

// a2lint: launch(block_dim=1, y=float[19200])
extern "C" __global__ __aicore__ void fill_ones(GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 1, TOTAL * sizeof(float));
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y, TOTAL);
    auto t = out.AllocTensor<float>();
//+    Duplicate(t, 1.0f, 64, static_cast<uint8_t>(REPEATS), 1, 8);
    Duplicate(t, 1.0f, 64, 150, 1, 8);//-
    Duplicate(t[150 * 64], 1.0f, 64, 150, 1, 8);//-
    out.EnQue(t);
    t = out.DeQue<float>();
//+    DataCopy(gy, t, TOTAL);  //~ scalars
    DataCopy(gy, t, TOTAL);//-
    out.FreeTensor(t);
}
