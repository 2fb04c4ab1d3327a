// On the side of UB the gap between rows is in blocks of 32 bytes: 32 leaves a kilobyte, beyond the buffer.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[8, 16], y=float[8, 16])
extern "C" __global__ __aicore__ void spread_rows(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, 8 * 24 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 128);
    gy.SetGlobalBuffer((__gm__ float*)y, 128);
    auto t = rows.AllocTensor<float>();
//+    DataCopyExtParams in{8, 64, 0, 32, 0};
//+    DataCopyPad(t, gx, in, {false, 0, 0, 0});  //~ operands
    DataCopyExtParams in{8, 64, 0, 1, 0};//-
    DataCopyPad(t, gx, in, {false, 0, 0, 0});//-
    rows.EnQue(t);
    t = rows.DeQue<float>();
//+    DataCopyExtParams out{8, 64, 32, 0, 0};
    DataCopyExtParams out{8, 64, 1, 0, 0};//-
    DataCopyPad(gy, t, out);
    rows.FreeTensor(t);
}
