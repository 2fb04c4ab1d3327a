// Cores of a kernel without a cube each run a block of their own: messages name blocks, not the cube cores that they
// share.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=float[256], y=float[128])
extern "C" __global__ __aicore__ void same_tile(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> tileBuf;
    pipe.InitBuffer(tileBuf, 128 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> tile = tileBuf.Get<float>();
    DataCopy(tile, xGm[GetBlockIdx() * 128], 128);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 128);  //~ ERROR core-overlap: on block 1 stores other values to elements of `y` that block 0
}
