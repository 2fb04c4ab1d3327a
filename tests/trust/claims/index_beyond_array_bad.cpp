// Sizes of two tiles; the third round reads what lies behind the array. That both sizes are alike does not help.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t SIZES[2] = {1024, 1024};

// a2lint: assume(tiles <= 100000)
// a2lint: launch(block_dim=2, x=float[6144], y=float[6144], tiles=6)
extern "C" __global__ __aicore__ void beyond_table(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, tiles * 1024);
    to.SetGlobalBuffer((__gm__ float *)y, tiles * 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> rows;
    pipe.InitBuffer(rows, 2, 4096);
    for (uint32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
        LocalTensor<float> row = rows.AllocTensor<float>();
        DataCopy(row, from[tile * 1024], SIZES[tile]); //~ ERROR undefined-arithmetic: `tile` is 2, and the array has 2 elements
        rows.EnQue(row);
        row = rows.DeQue<float>();
        DataCopy(to[tile * 1024], row, 1024);
        rows.FreeTensor(row);
    }
}

struct Table {
    uint32_t start[4];
    uint32_t after;
};

// a2lint: launch(block_dim=5, x=float[1280], y=float[1280])
extern "C" __global__ __aicore__ void beyond_member(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 1280);
    to.SetGlobalBuffer((__gm__ float *)y, 1280);
    Table table{{0, 256, 512, 768}, 1024};
    TPipe pipe;
    TBuf<TPosition::VECCALC> memory;
    pipe.InitBuffer(memory, 1024);
    LocalTensor<float> row = memory.Get<float>();
    const uint32_t start = table.start[GetBlockIdx()]; //~ ERROR undefined-arithmetic: is 4, and the array has 4 elements
    DataCopy(row, from[start], 256);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to[start], row, 256);
}
