// Each core has two rows of workspace, but the next core starts one row later.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROW = 64;
constexpr uint32_t ROWS = 2;

// a2lint: launch(block_dim=3, x=float[6, 64], y=float[6, 64], workspace=float[6, 64])
extern "C" __global__ __aicore__ void swap_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, ROW * sizeof(float));
    GlobalTensor<float> gx, gy, gw;
    const uint32_t start = GetBlockIdx() * ROWS * ROW;
    gx.SetGlobalBuffer((__gm__ float*)x + start, ROWS * ROW);
    gy.SetGlobalBuffer((__gm__ float*)y + start, ROWS * ROW);
//+    gw.SetGlobalBuffer((__gm__ float*)workspace + GetBlockIdx() * ROW, ROWS * ROW);
    gw.SetGlobalBuffer((__gm__ float*)workspace + start, ROWS * ROW);//-
    for (uint32_t r = 0; r < ROWS; r++) {
        auto t = rows.AllocTensor<float>();
        DataCopy(t, gx[r * ROW], ROW);
        rows.EnQue(t);
        t = rows.DeQue<float>();
//+        DataCopy(gw[r * ROW], t, ROW);  //~ order
        DataCopy(gw[r * ROW], t, ROW);//-
        rows.FreeTensor(t);
    }
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID7);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID7);
    for (uint32_t r = 0; r < ROWS; r++) {
        auto t = rows.AllocTensor<float>();
        DataCopy(t, gw[(ROWS - 1 - r) * ROW], ROW);
        rows.EnQue(t);
        t = rows.DeQue<float>();
        DataCopy(gy[r * ROW], t, ROW);
        rows.FreeTensor(t);
    }
}
