// The number of tiles is rounded down: what is left of the array is never stored.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 128;

// a2lint: launch(block_dim=1, x=float[1000], y=float[1000], n=1000)
extern "C" __global__ __aicore__ void halve(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, n);
    gy.SetGlobalBuffer((__gm__ float*)y, n);
//+    const uint32_t tiles = n / TILE;
    const uint32_t tiles = (n + TILE - 1) / TILE;//-
    for (uint32_t i = 0; i < tiles; i++) {
        const uint32_t at = i * TILE;
        const uint32_t len = n - at < TILE ? n - at : TILE;
        auto t = in.AllocTensor<float>();
        DataCopyPad(t, gx[at], {1, static_cast<uint32_t>(len * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
        in.EnQue(t);
        t = in.DeQue<float>();
        auto r = out.AllocTensor<float>();
        Muls(r, t, 0.5f, len);
        in.FreeTensor(t);
        out.EnQue(r);
        r = out.DeQue<float>();
//+        DataCopyPad(gy[at], r, {1, static_cast<uint32_t>(len * sizeof(float)), 0, 0, 0});  //~ ownership
        DataCopyPad(gy[at], r, {1, static_cast<uint32_t>(len * sizeof(float)), 0, 0, 0});//-
        out.FreeTensor(r);
    }
}
