// A launch that overruns its buffers, and a second mistake that has nothing to do with it: a store that nothing orders
// before the next load of the same buffer. Both are said.
#include "kernel_operator.h"
using namespace AscendC;

struct PairTiling {
    uint32_t tileLength;
    uint32_t tailLength;
    uint32_t rows;
};

// a2lint: launch(block_dim=1, x=float[512], y=float[256], tiling.tileLength=64, tiling.tailLength=128, tiling.rows=3)
extern "C" __global__ __aicore__ void rows(GM_ADDR x, GM_ADDR y, PairTiling tiling)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf, tailBuf;
    pipe.InitBuffer(rowBuf, tiling.tileLength * sizeof(float));
    pipe.InitBuffer(tailBuf, tiling.tileLength * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> last = tailBuf.Get<float>();
    for (uint32_t i = 0; i < tiling.rows; i++) {
        DataCopy(row, xGm[i * tiling.tileLength], tiling.tileLength);  //~ ERROR race: may still be reading it on MTE3
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Adds(row, row, 1.0f, tiling.tileLength);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(yGm[i * tiling.tileLength], row, tiling.tileLength);
    }
    PipeBarrier<PIPE_ALL>();
    Duplicate(last, 0.0f, tiling.tailLength);  //~ ERROR operand-overrun: `tiling.tileLength` is 64, `tiling.tailLength` is 128
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm[192], last, 64);
}
