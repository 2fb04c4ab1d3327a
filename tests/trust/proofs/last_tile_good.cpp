// The last tile is what is left of any total, whatever way the source says so.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

//~ VERDICT next_is_last.operands: holds
//~ VERDICT next_is_last.bounds: holds
//~ VERDICT next_is_last.initialised: holds
//~ VERDICT next_is_last.order: holds
//~ VERDICT next_is_last.ownership: holds
//~ VERDICT next_is_last.scalars: holds
// a2lint: launch(block_dim=2, total=2500, x=float[2500], y=float[2500])
extern "C" __global__ __aicore__ void next_is_last(GM_ADDR x, GM_ADDR y, uint32_t total)
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
        uint32_t n = i + 1 == tiles ? total - i * TILE : TILE;
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

//~ VERDICT last_by_index.operands: holds
//~ VERDICT last_by_index.bounds: holds
//~ VERDICT last_by_index.initialised: holds
//~ VERDICT last_by_index.order: holds
//~ VERDICT last_by_index.ownership: holds
//~ VERDICT last_by_index.scalars: holds
// a2lint: launch(block_dim=2, total=2500, x=float[2500], y=float[2500])
extern "C" __global__ __aicore__ void last_by_index(GM_ADDR x, GM_ADDR y, uint32_t total)
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
        uint32_t n = TILE;
        if (i == tiles - 1) {
            n = total - i * TILE;
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

//~ VERDICT cut_to_tile.operands: holds
//~ VERDICT cut_to_tile.bounds: holds
//~ VERDICT cut_to_tile.initialised: holds
//~ VERDICT cut_to_tile.order: holds
//~ VERDICT cut_to_tile.ownership: holds
//~ VERDICT cut_to_tile.scalars: holds
// a2lint: launch(block_dim=2, total=2500, x=float[2500], y=float[2500])
extern "C" __global__ __aicore__ void cut_to_tile(GM_ADDR x, GM_ADDR y, uint32_t total)
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
        if (n > TILE) {
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

//~ VERDICT tile_that_reaches_past.operands: holds
//~ VERDICT tile_that_reaches_past.bounds: holds
//~ VERDICT tile_that_reaches_past.initialised: holds
//~ VERDICT tile_that_reaches_past.order: holds
//~ VERDICT tile_that_reaches_past.ownership: holds
//~ VERDICT tile_that_reaches_past.scalars: holds
// a2lint: launch(block_dim=2, total=2500, x=float[2500], y=float[2500])
extern "C" __global__ __aicore__ void tile_that_reaches_past(GM_ADDR x, GM_ADDR y, uint32_t total)
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
        uint32_t n = (i + 1) * TILE > total ? total - i * TILE : TILE;
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

//~ VERDICT one_or_none_for_the_rest.operands: holds
//~ VERDICT one_or_none_for_the_rest.bounds: holds
//~ VERDICT one_or_none_for_the_rest.initialised: holds
//~ VERDICT one_or_none_for_the_rest.order: holds
//~ VERDICT one_or_none_for_the_rest.scalars: holds
// a2lint: launch(block_dim=2, total=2500, x=float[2500], y=float[2500])
extern "C" __global__ __aicore__ void one_or_none_for_the_rest(GM_ADDR x, GM_ADDR y, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, TILE * sizeof(float));
    pipe.InitBuffer(out, 2, TILE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    uint32_t tiles = total / TILE + (total % TILE > 0 ? 1 : 0);
    for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
        uint32_t n = total - i * TILE;
        n = n < TILE ? n : TILE;
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
