#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void spread(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, 8 * 24 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 128);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 128);
    auto t = rows.AllocTensor<float>();
    DataCopyPad(t, gx, {8, 64, 0, 32, 0}, {false, 0, 0, 0});
    rows.EnQue(t);
    t = rows.DeQue<float>();
    DataCopyPad(gy, t, {8, 64, 1, 0, 0});
    rows.FreeTensor(t);
}
