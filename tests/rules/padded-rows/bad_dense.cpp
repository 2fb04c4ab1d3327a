// Sixteen rows of 16 bytes stand on 16 blocks of 32; 64 consecutive floats are the first eight of them and their padding.
#include "kernel_operator.h"
using namespace AscendC;

template <int FORM>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 128);
    TPipe pipe;
    TBuf<> rowBuf;
    pipe.InitBuffer(rowBuf, 512);
    LocalTensor<float> rows = rowBuf.Get<float>();
    DataCopyExtParams burst{16, 16, 0, 0, 0};
    DataCopyPadExtParams<float> pad{true, 0, 4, 0.0f};
    DataCopyPad(rows, xGm, burst, pad);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if constexpr (FORM == 0) {
        Muls(rows, rows, 2.0f, 64);  //~ WARNING padded-rows: takes 64 elements of `rows` side by side
    } else {
        Muls(rows, rows, 2.0f, 128);
    }
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    if constexpr (FORM == 2) {
        DataCopyPad(yGm, rows, burst);
    } else {
        DataCopy(yGm, rows, 128);
    }
}

// a2lint: launch(block_dim=1, x=float[16, 4], y=float[128])
extern "C" __global__ __aicore__ void dense(GM_ADDR x, GM_ADDR y) { Copy<0>(x, y); }
