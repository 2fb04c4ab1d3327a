// All of a tensor is loaded, changed and stored back: nothing has to be said about elements that stay.
//~ VERDICT ownership: proved-if x is [total]
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

// a2lint: launch(block_dim=4, total=1551, x=float[total])
extern "C" __global__ __aicore__ void whole(GM_ADDR x, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, TILE * sizeof(float));
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float*)x);
    const uint32_t tiles = (total + TILE - 1) / TILE;
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        const uint32_t n = total - i * TILE < TILE ? total - i * TILE : TILE;
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[i * TILE], {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Adds(b, a, 1.0f, n);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(gx[i * TILE], b, {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0});
        out.FreeTensor(b);
    }
}
