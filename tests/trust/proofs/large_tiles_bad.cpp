// Rests of large tiles that are not covered: nothing of it may be called proved.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 8192;

// The buffers hold one block less than a tile.
//~ VERDICT buffer_too_short.operands: refuted
// a2lint: launch(block_dim=2, x=float[20000], y=float[20000], n=20000)
extern "C" __global__ __aicore__ void buffer_too_short(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, (TILE - 8) * sizeof(float));
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n);
    for (uint32_t at = GetBlockIdx() * TILE; at < n; at += GetBlockNum() * TILE) {
        const uint32_t m = n - at < TILE ? n - at : TILE;
        DataCopyExtParams copy{1, static_cast<uint32_t>(m * sizeof(float)), 0, 0, 0};
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[at], copy, {false, 0, 0, 0.0f}); //~ ERROR operand-overrun: writes 32 bytes outside the tensor
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 2.0f, m); //~ ERROR operand-overrun: reads 32 bytes outside the tensor
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(gy[at], b, copy);
        out.FreeTensor(b);
    }
}

// The product has one element more than the load where the rest is odd.
//~ VERDICT one_more_than_loaded.initialised: open
extern "C" __global__ __aicore__ void one_more_than_loaded(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, TILE * sizeof(float));
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n);
    for (uint32_t at = GetBlockIdx() * TILE; at < n; at += GetBlockNum() * TILE) {
        const uint32_t m = n - at < TILE ? n - at : TILE;
        const uint32_t even = (m + 1) / 2 * 2;
        DataCopyExtParams copy{1, static_cast<uint32_t>(m / 2 * 2 * sizeof(float)), 0, 0, 0};
        DataCopyExtParams back{1, static_cast<uint32_t>(m * sizeof(float)), 0, 0, 0};
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[at], copy, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 2.0f, even);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(gy[at], b, back);
        out.FreeTensor(b);
    }
}
