// A loop whose condition compares a constant multiple of its counter ends like one that compares the counter; where the
// multiple may be anything, nothing is known of its end.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 4096;
constexpr int32_t ROWS = 8, WIDTH = 64;

class Copier {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        x_.SetGlobalBuffer((__gm__ half *)x);
        y_.SetGlobalBuffer((__gm__ half *)y);
        pipe_.InitBuffer(in_, 2, TILE * sizeof(half));
        pipe_.InitBuffer(out_, 2, TILE * sizeof(half));
    }
    __aicore__ inline void Tile(uint64_t at, uint32_t n)
    {
        DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(half)), 0, 0, 0};
        auto a = in_.AllocTensor<half>();
        DataCopyPad(a, x_[at], copy, {false, 0, 0, 0});
        in_.EnQue(a);
        a = in_.DeQue<half>();
        auto b = out_.AllocTensor<half>();
        Abs(b, a, n);
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.DeQue<half>();
        DataCopyPad(y_[at], b, copy);
        out_.FreeTensor(b);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<half> x_, y_;
};

//~ VERDICT tiles_of_cores.progress: holds
//~ VERDICT tiles_of_cores.order: holds
//~ VERDICT tiles_of_cores.ownership: holds
//~ VERDICT tiles_of_cores.initialised: holds
// a2lint: launch(block_dim=3, x=half[20001], y=half[20001], n=20001)
extern "C" __global__ __aicore__ void tiles_of_cores(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Copier op;
    op.Init(x, y);
    for (uint32_t i = GetBlockIdx(); i * TILE < n; i += GetBlockNum()) {
        uint32_t left = n - i * TILE;
        op.Tile(i * TILE, left < TILE ? left : TILE);
    }
}

//~ VERDICT rows_turned_round.progress: holds
//~ VERDICT rows_turned_round.order: holds
// a2lint: launch(block_dim=2, x=half[1920], y=half[1920], rows=30)
extern "C" __global__ __aicore__ void rows_turned_round(GM_ADDR x, GM_ADDR y, int32_t rows)
{
    Copier op;
    op.Init(x, y);
    for (int32_t t = GetBlockIdx(); rows > ROWS * t; t += GetBlockNum()) {
        int32_t r = t * ROWS, m = rows - r < ROWS ? rows - r : ROWS;
        op.Tile(r * WIDTH, m * WIDTH);
    }
}

// With a tile of 0 it never ends.
//~ VERDICT tile_of_the_host.progress: open
extern "C" __global__ __aicore__ void tile_of_the_host(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t tile)
{
    Copier op;
    op.Init(x, y);
    for (uint32_t i = GetBlockIdx(); i * tile < n; i += GetBlockNum()) {
        op.Tile(i * tile, 16);
    }
}

// Each iteration doubles the step of the product.
//~ VERDICT changed_by_the_body.progress: open
extern "C" __global__ __aicore__ void changed_by_the_body(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Copier op;
    op.Init(x, y);
    for (uint32_t i = GetBlockIdx(); i * TILE < n; i += GetBlockNum()) {
        op.Tile(i * TILE, 16);
        if (n > 100000) {
            i -= GetBlockNum();
        }
    }
}
