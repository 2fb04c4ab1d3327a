// A second tile needs a second buffer. Whether there is one depends on the launch, unless each launch has one.
#include "kernel_operator.h"
using namespace AscendC;

struct TileTiling {
    uint32_t tiles;
};

class Ahead {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, TPipe* pipe)
    {
        xGm_.SetGlobalBuffer((__gm__ float*)x);
        yGm_.SetGlobalBuffer((__gm__ float*)y);
        pipe->InitBuffer(in_, 1, 1024);
        pipe->InitBuffer(out_, 1, 1024);
    }
    __aicore__ inline void Load(uint32_t tile)
    {
        LocalTensor<float> t = in_.AllocTensor<float>();
        DataCopy(t, xGm_[tile * 256], 256);
        in_.EnQue(t);  //~ WARNING event-unbalanced: while all of its buffers are enqueued
    }
    __aicore__ inline void Store(uint32_t tile)
    {
        LocalTensor<float> t = in_.DeQue<float>();
        LocalTensor<float> u = out_.AllocTensor<float>();
        Exp(u, t, 256);
        in_.FreeTensor(t);
        out_.EnQue(u);
        u = out_.DeQue<float>();
        DataCopy(yGm_[tile * 256], u, 256);
        out_.FreeTensor(u);
    }

private:
    GlobalTensor<float> xGm_, yGm_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
};

// a2lint: launch(block_dim=1, x=float[256], y=float[256], tiling.tiles=1)
extern "C" __global__ __aicore__ void one_tile_ahead(GM_ADDR x, GM_ADDR y, TileTiling tiling)
{
    TPipe pipe;
    Ahead op;
    op.Init(x, y, &pipe);
    op.Load(0);
    for (uint32_t tile = 1; tile < tiling.tiles; ++tile) {
        op.Load(tile);
        op.Store(tile - 1);
    }
    op.Store(tiling.tiles - 1);
}
