// Fields of tiling data belong together: the host computes them, so one alone is not changed.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

struct ScaleTiling {
    uint32_t total;
    uint32_t rest;
};

// a2lint: launch(block_dim=4, tiling.total=1551, tiling.rest=15, x=float[1551], y=float[1551])
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, ScaleTiling tiling)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, TILE * sizeof(float));
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    const uint32_t tiles = (tiling.total + TILE - 1) / TILE;
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        const uint32_t n = i + 1 == tiles ? tiling.rest : TILE;
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[i * TILE], {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 3.0f, n);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(gy[i * TILE], b, {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0});
        out.FreeTensor(b);
    }
}
