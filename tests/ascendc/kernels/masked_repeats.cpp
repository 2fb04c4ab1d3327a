// Adds 1 to the first 40 columns of rows of 64: a mask of 40 lanes, one repeat for each row.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint8_t ROWS = 16;
constexpr uint64_t ACTIVE = 40;
constexpr uint32_t PITCH = 64;

// a2lint: launch(block_dim=2, x=float[32, 64], y=float[32, 64])
extern "C" __global__ __aicore__ void masked_repeats(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, ROWS * PITCH * sizeof(float));
    pipe.InitBuffer(out, 1, ROWS * PITCH * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * ROWS * PITCH, ROWS * PITCH);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * ROWS * PITCH, ROWS * PITCH);

    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, ROWS * PITCH);
    in.EnQue(t);
    t = in.DeQue<float>();
    auto r = out.AllocTensor<float>();
    Adds(r, t, 0.0f, ROWS * PITCH);
    Adds(r, t, 1.0f, ACTIVE, ROWS, {1, 1, 8, 8});
    in.FreeTensor(t);
    out.EnQue(r);
    r = out.DeQue<float>();
    DataCopy(gy, r, ROWS * PITCH);
    out.FreeTensor(r);
}
