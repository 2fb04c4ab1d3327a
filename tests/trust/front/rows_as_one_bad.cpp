// Element 5 of rows of four is the second one of the second row; there is no element 8 in two rows.
#include "kernel_operator.h"
using namespace AscendC;

template <int AT>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y)
{
    int32_t rows[2][4] = {{8, 16, 24, 32}, {40, 64, 72, 80}};
    TPipe pipe;
    TBuf<> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, ((int32_t *)rows)[AT]);  //~ ERROR gm-out-of-bounds
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 56);
}

// a2lint: launch(block_dim=1, x=float[56], y=float[56])
extern "C" __global__ __aicore__ void second_of_second(GM_ADDR x, GM_ADDR y) { Copy<5>(x, y); }
