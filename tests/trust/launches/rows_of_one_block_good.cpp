// One block copies row after row, and never asks which one it is: the invented launches of one block run every
// statement, which is not to be called unexecuted.
//~ VERDICT ownership: undecided not shown: that
#include "kernel_operator.h"
using namespace AscendC;

struct Table {
    uint32_t lines;
    uint32_t cells;
};

extern "C" __global__ __aicore__ void copy(GM_ADDR from, GM_ADDR to, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Table, table, tiling);
    TPipe pipe;
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> line;
    GlobalTensor<int32_t> source, target;
    source.SetGlobalBuffer((__gm__ int32_t*)from);
    target.SetGlobalBuffer((__gm__ int32_t*)to);
    pipe.InitBuffer(line, 2, table.cells * sizeof(int32_t));
    for (uint32_t at = 0; at < table.lines; ++at) {
        LocalTensor<int32_t> cells = line.AllocTensor<int32_t>();
        DataCopy(cells, source[at * table.cells], table.cells);
        line.EnQue(cells);
        cells = line.DeQue<int32_t>();
        DataCopy(target[at * table.cells], cells, table.cells);
        line.FreeTensor(cells);
    }
}
