// Shares of several parts with a hole between them, or in which cores meet: none of it is proved.
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

//~ VERDICT tail_starts_as_former.ownership: open
extern "C" __global__ __aicore__ void tail_starts_as_former(GM_ADDR x, GM_ADDR y, SplitTiling t)
{
    uint32_t length, start;
    if (GetBlockIdx() < t.formerNum) {
        length = t.formerLength;
        start = GetBlockIdx() * t.formerLength;
    } else {
        length = t.tailLength;
        start = GetBlockIdx() * t.tailLength;
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

//~ VERDICT tail_starts_one_late.ownership: open
extern "C" __global__ __aicore__ void tail_starts_one_late(GM_ADDR x, GM_ADDR y, SplitTiling t)
{
    uint32_t length, start;
    if (GetBlockIdx() < t.formerNum) {
        length = t.formerLength;
        start = GetBlockIdx() * t.formerLength;
    } else {
        length = t.tailLength;
        start = t.formerNum * t.formerLength + (GetBlockIdx() - t.formerNum + 1) * t.tailLength;
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

//~ VERDICT tail_reaches_back.ownership: open
extern "C" __global__ __aicore__ void tail_reaches_back(GM_ADDR x, GM_ADDR y, SplitTiling t)
{
    uint32_t length, start;
    if (GetBlockIdx() < t.formerNum) {
        length = t.formerLength;
        start = GetBlockIdx() * t.formerLength;
    } else {
        length = t.tailLength;
        start = t.formerNum * t.formerLength + (GetBlockIdx() - t.formerNum) * t.tailLength - 8;
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

//~ VERDICT first_tile_left_out.ownership: open
extern "C" __global__ __aicore__ void first_tile_left_out(GM_ADDR x, GM_ADDR y, SplitTiling t)
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
    for (uint32_t i = 1; i < tiles; i++) {
        op.Tile(i * t.tile, t.tile);
    }
    const uint32_t rest = length - tiles * t.tile;
    if (rest > 0) {
        op.Tile(tiles * t.tile, rest);
    }
}

//~ VERDICT short_rest_left_out.ownership: open
extern "C" __global__ __aicore__ void short_rest_left_out(GM_ADDR x, GM_ADDR y, SplitTiling t)
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
    if (rest > 8) {
        op.Tile(tiles * t.tile, rest);
    }
}

//~ VERDICT no_rest.ownership: proved-if each >= 1, each % 256 == 0
extern "C" __global__ __aicore__ void no_rest(GM_ADDR x, GM_ADDR y, uint32_t each)
{
    TPipe pipe;
    Doubler op;
    op.Init(&pipe, x, y, GetBlockIdx() * each, each, TILE);
    const uint32_t tiles = each / TILE;
    for (uint32_t i = 0; i < tiles; i++) {
        op.Tile(i * TILE, TILE);
    }
}

//~ VERDICT rest_of_another_share.ownership: open
extern "C" __global__ __aicore__ void rest_of_another_share(GM_ADDR x, GM_ADDR y, uint32_t each)
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
        op.Tile(tiles * TILE + 8, rest);
    }
}

//~ VERDICT rest_is_one_short.ownership: proved-if each >= 1, each % 256 == 0
extern "C" __global__ __aicore__ void rest_is_one_short(GM_ADDR x, GM_ADDR y, uint32_t each)
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
        op.Tile(tiles * TILE, rest - 1);
    }
}

//~ VERDICT one_of_a_pair_left_out.ownership: open
extern "C" __global__ __aicore__ void one_of_a_pair_left_out(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    TPipe pipe;
    Doubler op;
    op.Init(&pipe, x, y, GetBlockIdx() * tiles * TILE, tiles * TILE, TILE);
    for (uint32_t i = 0; i < tiles; i += 2) {
        op.Tile(i * TILE, TILE);
        if (i + 2 < tiles) {
            op.Tile((i + 1) * TILE, TILE);
        }
    }
}
