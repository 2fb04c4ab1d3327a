// A move has at most 4,095 rows.
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr uint16_t ROWS = 4096;
constexpr uint16_t ROWS = 4095;//-

// a2lint: launch(block_dim=1, x=half[4096, 32], y=half[4096, 16])
extern "C" __global__ __aicore__ void left_half(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, ROWS * 16 * sizeof(half));
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x);
    gy.SetGlobalBuffer((__gm__ half*)y);
    LocalTensor<half> t = rows.AllocTensor<half>();
//+    DataCopy(t, gx, DataCopyParams(ROWS, 1, 1, 0));  //~ operands
    DataCopy(t, gx, DataCopyParams(ROWS, 1, 1, 0));//-
    rows.EnQue(t);
    t = rows.DeQue<half>();
    DataCopy(gy, t, ROWS * 16);
    rows.FreeTensor(t);
    t = rows.AllocTensor<half>();//-
    DataCopy(t, gx[ROWS * 32], 16);//-
    rows.EnQue(t);//-
    t = rows.DeQue<half>();//-
    DataCopy(gy[ROWS * 16], t, 16);//-
    rows.FreeTensor(t);//-
}
