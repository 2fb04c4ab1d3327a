// A loop whose header steps its counter and something else counts as one that steps its counter alone.
#include "kernel_operator.h"
using namespace AscendC;

struct StepTiling {
    uint32_t tiles;
    uint32_t tile;
};

//~ VERDICT offset_beside.progress: proved
// a2lint: launch(block_dim=1, x=float[512], y=float[512], t.tiles=4, t.tile=128)
extern "C" __global__ __aicore__ void offset_beside(GM_ADDR x, GM_ADDR y, StepTiling t)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> both;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gy.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(both, 2, t.tile * sizeof(float));
    uint32_t offset = 0;
    for (uint32_t i = 0; i < t.tiles; i++, offset += t.tile) {
        auto a = both.AllocTensor<float>();
        DataCopy(a, gx[offset], t.tile);
        both.EnQue(a);
        a = both.DeQue<float>();
        DataCopy(gy[offset], a, t.tile);
        both.FreeTensor(a);
    }
}

// The second step changes the counter, so that the loop may not end.
//~ VERDICT counter_back.progress: open
extern "C" __global__ __aicore__ void counter_back(GM_ADDR x, GM_ADDR y, StepTiling t)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> both;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gy.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(both, 2, t.tile * sizeof(float));
    for (uint32_t i = 0; i < t.tiles; i++, i -= t.tile) {
        auto a = both.AllocTensor<float>();
        DataCopy(a, gx[i * t.tile], t.tile);
        both.EnQue(a);
        a = both.DeQue<float>();
        DataCopy(gy[i * t.tile], a, t.tile);
        both.FreeTensor(a);
    }
}
