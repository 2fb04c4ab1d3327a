// A VECIN tensor is stored: what FreeTensor orders is V before MTE2, not the store before the next load.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROW = 1024;

// a2lint: launch(block_dim=1, x=int[4, 1024], y=int[4, 1024], rows=4)
extern "C" __global__ __aicore__ void copy_rows(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
//+    TQue<TPosition::VECIN, 1> rowQueue;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rowQueue;//-
    pipe.InitBuffer(rowQueue, 1, ROW * sizeof(int32_t));
    GlobalTensor<int32_t> gx, gy;
    gx.SetGlobalBuffer((__gm__ int32_t*)x);
    gy.SetGlobalBuffer((__gm__ int32_t*)y);
    for (uint32_t r = 0; r < rows; ++r) {
        LocalTensor<int32_t> row = rowQueue.AllocTensor<int32_t>();
        DataCopy(row, gx[r * ROW], ROW);
        rowQueue.EnQue(row);
        row = rowQueue.DeQue<int32_t>();
//+        DataCopy(gy[r * ROW], row, ROW);  //~ order
        DataCopy(gy[r * ROW], row, ROW);//-
        rowQueue.FreeTensor(row);
    }
}
