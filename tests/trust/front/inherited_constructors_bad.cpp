// Inherited constructors give their argument to the base.
#include "kernel_operator.h"
using namespace AscendC;

struct Sized {
    uint32_t len;
    __aicore__ inline Sized(uint32_t n) : len(n) {}
};
struct Step : Sized {
    using Sized::Sized;
    uint32_t len2 = 1024;
};

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void short_tile(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Step step(512);
    uint32_t len = step.len;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);  //~ ERROR output-hole: are never stored
    tiles.FreeTensor(tile);
}
