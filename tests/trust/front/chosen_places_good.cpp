// Names of one of several numbers in right kernels.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[16384], y=float[16384], tiles=16)
extern "C" __global__ __aicore__ void two_streams(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> ring;
    pipe.InitBuffer(ring, 2, 4096);
    uint32_t starts[2] = {0, tiles / 2 * 1024};
    for (uint32_t i = 0; i < tiles; i++) {
        uint32_t &start = starts[i & 1];
        LocalTensor<float> tile = ring.AllocTensor<float>();
        DataCopy(tile, from[start], 1024);
        ring.EnQue(tile);
        tile = ring.DeQue<float>();
        DataCopy(to[start], tile, 1024);
        ring.FreeTensor(tile);
        start += 1024;
    }
}

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void other_element(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    uint32_t lens[3] = {1024, 1024, 1024};
    uint32_t &mine = lens[GetBlockIdx() & 1];
    mine -= 8;
    uint32_t len = lens[2];
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);
    tiles.FreeTensor(tile);
}

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void put_back(GM_ADDR x, GM_ADDR y)
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
    one += 8;
    uint32_t len = part;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);
    tiles.FreeTensor(tile);
}
