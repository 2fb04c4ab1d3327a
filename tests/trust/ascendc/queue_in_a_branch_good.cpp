// A queue that is given buffers in each branch
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t WIDTH = 64;

// a2lint: launch(block_dim=4, rows=101, x=half[6464], y=half[6464])
extern "C" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inX;
    TQue<TPosition::VECOUT, 2> outY;
    pipe.InitBuffer(inX, 2, WIDTH * sizeof(half));
    if (rows > 1000) {
        pipe.InitBuffer(outY, 2, WIDTH * sizeof(half));
    } else {
        pipe.InitBuffer(outY, 2, WIDTH * sizeof(half));
    }
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x);
    gy.SetGlobalBuffer((__gm__ half*)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<half> tx = inX.AllocTensor<half>();
        DataCopy(tx, gx[row * WIDTH], WIDTH);
        inX.EnQue(tx);
        tx = inX.DeQue<half>();
        LocalTensor<half> ty = outY.AllocTensor<half>();
        Muls(ty, tx, half(2), WIDTH);
        outY.EnQue(ty);
        ty = outY.DeQue<half>();
        DataCopy(gy[row * WIDTH], ty, WIDTH);
        inX.FreeTensor(tx);
        outY.FreeTensor(ty);
    }
}
//~ VERDICT capacity: holds
//~ VERDICT operands: holds
