// Members and functions that a qualifier chooses.
#include "kernel_operator.h"
using namespace AscendC;

struct Sized {
    uint32_t len = 1024;
};
struct Step : Sized {
    uint32_t len = 1024;
};
struct Other {
    uint32_t len = 1024;
};
struct Both : Sized, Other {};

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void of_the_base(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Step step;
    step.Sized::len = 512;
    step.len = 1024;
    uint32_t len = static_cast<Sized &>(step).len;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void the_second(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Both both;
    both.Other::len = 512;
    Other &other = both;
    uint32_t len = other.len;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}

struct Asked {
    uint32_t half = 512;
    __aicore__ inline uint32_t Len() const & { return half; }
    __aicore__ inline uint32_t Len() && { return 1024; }
};

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void of_a_name(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Asked asked;
    uint32_t len = asked.Len();
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void of_a_text(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    constexpr uint32_t len = 128 * sizeof("abc");
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}
