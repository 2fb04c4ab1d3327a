// A name of one of several numbers: what is stored through it shortens the tile of some cores.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void element(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    uint32_t lens[2] = {1024, 1024};
    uint32_t &mine = lens[GetBlockIdx() & 1];
    mine -= 8;
    uint32_t len = lens[0];
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void arm(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    uint32_t whole = 1024, part = 1024;
    uint32_t &one = (GetBlockIdx() & 1) ? whole : part;
    one -= 8;
    uint32_t len = part;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}

struct Lengths {
    uint32_t of[2] = {1024, 1024};
    __aicore__ inline uint32_t &Of(uint32_t at) { return of[at & 1]; }
    __aicore__ inline void Shrink(uint32_t by) { of[0] -= by; }
};

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void returned(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Lengths both;
    both.Of(GetBlockIdx()) -= 8;
    uint32_t len = both.of[1];
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void method(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Lengths a, b;
    (GetBlockIdx() & 1 ? a : b).Shrink(8);
    uint32_t len = b.of[0];
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void read_later(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    uint32_t whole = 1024, part = 1024;
    const uint32_t &len = (GetBlockIdx() & 1) ? whole : part;
    part = 1016;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}
