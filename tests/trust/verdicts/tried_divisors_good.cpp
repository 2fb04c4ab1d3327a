// A divisor that a proof of definedness tried is no fault of a contract that allows other sizes.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 32, WIDTH = 64, TILE = ROWS * WIDTH;

// Rows from `used` on are cleared in UB, and the whole tile is doubled and stored.
// a2lint: assume(1 <= used, used <= 31)
// a2lint: launch(block_dim=2, src=float[4096], dst=float[4096], used=10)
//~ VERDICT clear_rest.initialised: open
extern "C" __global__ __aicore__ void clear_rest(GM_ADDR src, GM_ADDR dst, uint32_t used)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> rows;
    TQue<TPosition::VECOUT, 1> doubled;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)src + GetBlockIdx() * TILE, TILE);
    to.SetGlobalBuffer((__gm__ float *)dst + GetBlockIdx() * TILE, TILE);
    pipe.InitBuffer(rows, 1, TILE * sizeof(float));
    pipe.InitBuffer(doubled, 1, TILE * sizeof(float));
    LocalTensor<float> tile = rows.AllocTensor<float>();
    DataCopy(tile, from, TILE);
    rows.EnQue(tile);
    tile = rows.DeQue<float>();
    Duplicate(tile[used * WIDTH], 0.0f, TILE - used * WIDTH);
    LocalTensor<float> out = doubled.AllocTensor<float>();
    Muls(out, tile, 2.0f, TILE);
    rows.FreeTensor(tile);
    doubled.EnQue(out);
    out = doubled.DeQue<float>();
    DataCopy(to, out, TILE);
    doubled.FreeTensor(out);
}
