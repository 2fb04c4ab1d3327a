// Two launch values that do not fit, of different fields: two mistakes, each at its own place.
#include "kernel_operator.h"
using namespace AscendC;

struct SizesTiling {
    uint32_t rows;
    uint32_t rowsInBuffer;
    uint32_t groups;
};

// a2lint: launch(block_dim=1, x=float[512], y=float[512], tiling.rows=256, tiling.rowsInBuffer=128, tiling.groups=32)
extern "C" __global__ __aicore__ void sizes(GM_ADDR x, GM_ADDR y, SizesTiling tiling)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, groupBuf, restBuf;
    pipe.InitBuffer(rowBuf, tiling.rowsInBuffer * sizeof(float));  //~ WARNING unused-buffer: is written and never read
    pipe.InitBuffer(groupBuf, 64);  //~ WARNING unused-buffer: is written and never read
    pipe.InitBuffer(restBuf, 4096);
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> group = groupBuf.Get<float>();
    LocalTensor<float> rest = restBuf.Get<float>();
    Duplicate(rest, 0.0f, 1024);
    PipeBarrier<PIPE_ALL>();
    DataCopy(row, xGm, tiling.rows);  //~ ERROR operand-overrun: `tiling.rows` is 256, `tiling.rowsInBuffer` is 128
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(group, rest, 1.0f, tiling.groups);  //~ ERROR operand-overrun: `tiling.groups` is 32
    Adds(rest, rest, 1.0f, 1024);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, rest, 512);
}
