// DataCopyPad puts each row of 16 bytes on a block of its own: 256 bytes of rows need 512 bytes of UB.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t BYTES>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    TPipe pipe;
    TBuf<> rowBuf;
    pipe.InitBuffer(rowBuf, BYTES);
    LocalTensor<float> rows = rowBuf.Get<float>();
    DataCopyExtParams burst{16, 16, 0, 0, 0};
    DataCopyPadExtParams<float> pad{true, 0, 4, 0.0f};
    DataCopyPad(rows, xGm, burst, pad);  //~ ERROR operand-overrun: writes 64 elements past the end of `rows`
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopyPad(yGm, rows, burst);  //~ ERROR operand-overrun: elements past the end of `rows`
}

// a2lint: launch(block_dim=1, x=float[16, 4], y=float[16, 4])
extern "C" __global__ __aicore__ void dense(GM_ADDR x, GM_ADDR y)
{
    Copy<256>(x, y);
}

// a2lint: launch(block_dim=1, x=float[16, 4], y=float[16, 4])
extern "C" __global__ __aicore__ void blocks(GM_ADDR x, GM_ADDR y)
{
    Copy<512>(x, y);
}
