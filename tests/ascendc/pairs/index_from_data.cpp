// The index is taken from the second half of the table, which has sixteen rows: it starts at row 8, not at row 16.
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr uint32_t FIRST = 16;
constexpr uint32_t FIRST = 8;//-

// a2lint: launch(block_dim=1, table=float[16, 64], pick=uint32[8], y=float[64])
extern "C" __global__ __aicore__ void pick_row(GM_ADDR table, GM_ADDR pick, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, 64 * sizeof(float));
    GlobalTensor<float> gt, gy;
    GlobalTensor<uint32_t> gp;
    gt.SetGlobalBuffer((__gm__ float*)table, 16 * 64);
    gy.SetGlobalBuffer((__gm__ float*)y, 64);
    gp.SetGlobalBuffer((__gm__ uint32_t*)pick, 8);
    const uint32_t row = gp.GetValue(0) % 8 + FIRST;
    auto t = rows.AllocTensor<float>();
//+    DataCopy(t, gt[row * 64], 64);  //~ bounds
    DataCopy(t, gt[row * 64], 64);//-
    rows.EnQue(t);
    t = rows.DeQue<float>();
    DataCopy(gy, t, 64);
    rows.FreeTensor(t);
}
