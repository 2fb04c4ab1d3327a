// Each is one condition away from the last tile: operands are proved only where no tile follows the first.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

//~ VERDICT one_tile_too_few.operands: proved-if 1 <= total <= 1024
//~ VERDICT one_tile_too_few.order: proved-if 1 <= total <= 1024
extern "C" __global__ __aicore__ void one_tile_too_few(GM_ADDR x, GM_ADDR y, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    const uint32_t tiles = (total + TILE - 1) / TILE;
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        uint32_t n = i + 2 == tiles ? total - i * TILE : TILE;
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[i * TILE], {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 2.0f, n);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(gy[i * TILE], b, {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0});
        out.FreeTensor(b);
    }
}

//~ VERDICT cut_to_two_tiles.operands: proved-if 1 <= total <= 1024
extern "C" __global__ __aicore__ void cut_to_two_tiles(GM_ADDR x, GM_ADDR y, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    const uint32_t tiles = (total + TILE - 1) / TILE;
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        uint32_t n = total - i * TILE;
        if (n > 2 * TILE) {
            n = TILE;
        }
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[i * TILE], {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 2.0f, n);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(gy[i * TILE], b, {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0});
        out.FreeTensor(b);
    }
}

//~ VERDICT cut_only_if_equal.operands: proved-if 1 <= total <= 1024
extern "C" __global__ __aicore__ void cut_only_if_equal(GM_ADDR x, GM_ADDR y, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    const uint32_t tiles = (total + TILE - 1) / TILE;
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        uint32_t n = total - i * TILE;
        if (n == 2 * TILE) {
            n = TILE;
        }
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[i * TILE], {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 2.0f, n);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopyPad(gy[i * TILE], b, {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0});
        out.FreeTensor(b);
    }
}
