// Rows with a margin of zeros on both sides: the margins are made by the load, and tiles of rows are moved at once.
#include "kernel_operator.h"
using namespace AscendC;

#define FOR_TILES(at, n, total, tile)                                                                                 \
    for (uint32_t at = GetBlockIdx() * (tile), n = 0;                                                                 \
         at < (total) && (n = (total) - at < (tile) ? (total) - at : (tile), true); at += GetBlockNum() * (tile))

constexpr uint32_t COLS = 48;
constexpr uint32_t LEFT = 4;
constexpr uint32_t WIDE = COLS + 2 * LEFT;
constexpr uint32_t TILE = 4;

// a2lint: launch(block_dim=2, x=float[11, 48], y=float[11, 56], rows=11)
extern "C" __global__ __aicore__ void pad_rows(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 2, TILE * WIDE * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, rows * COLS);
    gy.SetGlobalBuffer((__gm__ float*)y, rows * WIDE);
    FOR_TILES(at, n, rows, TILE)
    {
        LocalTensor<float> t = queue.AllocTensor<float>();
        DataCopyExtParams in{static_cast<uint16_t>(n), COLS * sizeof(float), 0, 0, 0};
        DataCopyPadExtParams<float> margin{true, LEFT, LEFT, 0.0f};
        DataCopyPad(t, gx[at * COLS], in, margin);
        queue.EnQue(t);
        t = queue.DeQue<float>();
        DataCopy(gy[at * WIDE], t, n * WIDE);
        queue.FreeTensor(t);
    }
}
