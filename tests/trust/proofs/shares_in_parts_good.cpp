// What a core stores may take a loop and a store after it, and cores may have shares of two sizes: all is stored once.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

struct SplitTiling {
    uint32_t formerNum;
    uint32_t formerLength;
    uint32_t tailLength;
    uint32_t tile;
};

class Doubler {
public:
    __aicore__ inline void Init(TPipe *pipe, GM_ADDR x, GM_ADDR y, uint64_t start, uint32_t length, uint32_t tile)
    {
        x_.SetGlobalBuffer((__gm__ float *)x + start, length);
        y_.SetGlobalBuffer((__gm__ float *)y + start, length);
        pipe->InitBuffer(in_, 2, tile * sizeof(float));
        pipe->InitBuffer(out_, 2, tile * sizeof(float));
    }
    __aicore__ inline void Tile(uint32_t at, uint32_t n)
    {
        DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};
        auto a = in_.AllocTensor<float>();
        DataCopyPad(a, x_[at], copy, {false, 0, 0, 0.0f});
        in_.EnQue(a);
        a = in_.DeQue<float>();
        auto b = out_.AllocTensor<float>();
        Muls(b, a, 2.0f, n);
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.DeQue<float>();
        DataCopyPad(y_[at], b, copy);
        out_.FreeTensor(b);
    }

private:
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<float> x_, y_;
};

//~ VERDICT loop_then_rest.bounds: holds
//~ VERDICT loop_then_rest.ownership: holds
// a2lint: launch(block_dim=2, each=600, x=float[1200], y=float[1200])
extern "C" __global__ __aicore__ void loop_then_rest(GM_ADDR x, GM_ADDR y, uint32_t each)
{
    TPipe pipe;
    Doubler op;
    op.Init(&pipe, x, y, GetBlockIdx() * each, each, TILE);
    const uint32_t tiles = each / TILE;
    for (uint32_t i = 0; i < tiles; i++) {
        op.Tile(i * TILE, TILE);
    }
    const uint32_t rest = each % TILE;
    if (rest > 0) {
        op.Tile(tiles * TILE, rest);
    }
}

//~ VERDICT two_lengths.bounds: holds
// a2lint: launch(block_dim=3, t.formerNum=2, t.formerLength=600, t.tailLength=592, t.tile=256, x=float[1792], y=float[1792])
extern "C" __global__ __aicore__ void two_lengths(GM_ADDR x, GM_ADDR y, SplitTiling t)
{
    uint32_t length, start;
    if (GetBlockIdx() < t.formerNum) {
        length = t.formerLength;
        start = GetBlockIdx() * t.formerLength;
    } else {
        length = t.tailLength;
        start = t.formerNum * t.formerLength + (GetBlockIdx() - t.formerNum) * t.tailLength;
    }
    TPipe pipe;
    Doubler op;
    op.Init(&pipe, x, y, start, length, t.tile);
    const uint32_t tiles = length / t.tile;
    for (uint32_t i = 0; i < tiles; i++) {
        op.Tile(i * t.tile, t.tile);
    }
    const uint32_t rest = length - tiles * t.tile;
    if (rest > 0) {
        op.Tile(tiles * t.tile, rest);
    }
}

//~ VERDICT in_pairs.bounds: holds
//~ VERDICT in_pairs.ownership: holds
// a2lint: launch(block_dim=2, tiles=3, x=float[1536], y=float[1536])
extern "C" __global__ __aicore__ void in_pairs(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    TPipe pipe;
    Doubler op;
    op.Init(&pipe, x, y, GetBlockIdx() * tiles * TILE, tiles * TILE, TILE);
    for (uint32_t i = 0; i < tiles; i += 2) {
        op.Tile(i * TILE, TILE);
        if (i + 1 < tiles) {
            op.Tile((i + 1) * TILE, TILE);
        }
    }
}
