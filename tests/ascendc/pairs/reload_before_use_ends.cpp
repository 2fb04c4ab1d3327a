// The next load overwrites what the vector unit still reads: nothing goes from V back to MTE2.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t W = 256;

// a2lint: launch(block_dim=1, x=half[5, 256], y=half[256], rows=5)
extern "C" __global__ __aicore__ void max_of_rows(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, topBuf;
    pipe.InitBuffer(rowBuf, W * sizeof(half));
    pipe.InitBuffer(topBuf, W * sizeof(half));
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, rows * W);
    gy.SetGlobalBuffer((__gm__ half*)y, W);
    auto row = rowBuf.Get<half>();
    auto top = topBuf.Get<half>();
    Duplicate(top, static_cast<half>(-60000.0f), W);
    auto wait = [](auto id) {
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
    };
    for (uint32_t r = 0; r < rows; r++) {
        DataCopy(row, gx[r * W], W);
        wait(EVENT_ID0);
//+        Max(top, top, row, W);  //~ order
        Max(top, top, row, W);//-
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);//-
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);//-
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, top, W);
}
