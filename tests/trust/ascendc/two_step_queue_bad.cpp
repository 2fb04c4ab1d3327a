// The second step takes the tile from the queue as the first one does: nothing waits for the vector unit.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 256, 256);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 256, 256);
    pipe.InitBuffer(tiles, 1, 256 * sizeof(float));
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 256);
    tiles.template EnQue<QuePosition::GM, QuePosition::VECIN, float>(tile);
    tile = tiles.template DeQue<QuePosition::GM, QuePosition::VECIN, float>();
    Relu(tile, tile, 256);
    DataCopy(to, tile, 256); //~ ERROR race: nothing orders V→MTE3
    tiles.FreeTensor(tile);
}
