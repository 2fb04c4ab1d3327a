// Eight rows of 24 bytes stand on eight blocks; the store takes 48 elements from the start.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[8, 6], y=float[48])
extern "C" __global__ __aicore__ void stored(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 48);
    yGm.SetGlobalBuffer((__gm__ float *)y, 48);
    TPipe pipe;
    TBuf<> rowBuf;
    pipe.InitBuffer(rowBuf, 256);
    LocalTensor<float> rows = rowBuf.Get<float>();
    DataCopyExtParams burst{8, 24, 0, 0, 0};
    DataCopyPadExtParams<float> pad{true, 0, 2, 0.0f};
    DataCopyPad(rows, xGm, burst, pad);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, rows, 48);  //~ WARNING padded-rows: takes 48 elements of `rows` side by side
}
