// One queue hands a tile from the load to the vector unit and from that to the store, each with an event of its own.
#include "kernel_operator.h"
using namespace AscendC;

class Clamp {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
        to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
        pipe.InitBuffer(tiles, 2, 256 * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < 4; i++) {
            Load(i);
            Compute();
            Store(i);
        }
    }

private:
    __aicore__ inline void Load(uint32_t i)
    {
        LocalTensor<float> tile = tiles.AllocTensor<float>();
        DataCopy(tile, from[i * 256], 256);
        tiles.template EnQue<QuePosition::GM, QuePosition::VECIN, float>(tile);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<float> tile = tiles.template DeQue<QuePosition::GM, QuePosition::VECIN, float>();
        Relu(tile, tile, 256);
        tiles.template EnQue<QuePosition::VECOUT, QuePosition::GM, float>(tile);
    }
    __aicore__ inline void Store(uint32_t i)
    {
        LocalTensor<float> tile = tiles.template DeQue<QuePosition::VECOUT, QuePosition::GM, float>();
        DataCopy(to[i * 256], tile, 256);
        tiles.FreeTensor(tile);
    }
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    GlobalTensor<float> from, to;
};

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y) //~ VERDICT k.order: proved
{
    Clamp op;
    op.Init(x, y);
    op.Process();
}

// A tile that was dequeued once is enqueued again, and freed once. That it is free means that the load may write it, not
// the vector unit: the store of the iteration before may still read it.
// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) //~ VERDICT twice.progress: proved
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    pipe.InitBuffer(tiles, 2, 256 * sizeof(float));
    for (uint32_t i = 0; i < 4; i++) {
        LocalTensor<float> tile = tiles.AllocTensor<float>();
        tiles.EnQue(tile);
        tile = tiles.DeQue<float>();
        Duplicate(tile, 1.0f, 256); //~ ERROR race: nothing orders MTE3→V
        tiles.template EnQue<QuePosition::VECOUT, QuePosition::GM>(tile);
        tile = tiles.template DeQue<QuePosition::VECOUT, QuePosition::GM, float>();
        DataCopy(to[i * 256], tile, 256);
        tiles.FreeTensor(tile);
    }
}
