// A parameter gives the number of buffers of a queue: the kernel is followed for one and for two buffers.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    uint32_t tiles;
    uint32_t buffers;
};

// a2lint: launch(tiling.buffers=1, block_dim=2, tiling.tiles=3, x=float[384], y=float[384])
// a2lint: launch(tiling.buffers=2, block_dim=2, tiling.tiles=3, x=float[384], y=float[384])
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, Tiling tiling)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, tiling.buffers, 256);
    pipe.InitBuffer(out, tiling.buffers, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * tiling.tiles * 64);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * tiling.tiles * 64);
    for (uint32_t i = 0; i < tiling.tiles; i++) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 3.0f, 64);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy[i * 64], b, 64);
        out.FreeTensor(b);
    }
}
//~ NOT-ANALYSED
