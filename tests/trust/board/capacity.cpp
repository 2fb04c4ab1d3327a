// InitBuffer checks nothing on the device: 200 KB of queues in 192 KB of UB, and a tile longer than its buffer.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t IN_BYTES, uint32_t OUT_BYTES>
__aicore__ inline void Twice(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 2> outQueue;
    pipe.InitBuffer(inQueue, 2, IN_BYTES);
    pipe.InitBuffer(outQueue, 2, OUT_BYTES);  //~ ERROR ub-overflow: need 200 KB; UB has 192 KB
    LocalTensor<float> in = inQueue.AllocTensor<float>();
    DataCopy(in, xGm, 1024);  //~ ERROR operand-overrun: writes 768 elements past the end of `in`
    inQueue.EnQue(in);
    in = inQueue.DeQue<float>();
    LocalTensor<float> out = outQueue.AllocTensor<float>();
    Muls(out, in, 2.0f, 1024);  //~ ERROR operand-overrun: reads 768 elements past the end of `in`
    inQueue.FreeTensor(in);
    outQueue.EnQue(out);
    out = outQueue.DeQue<float>();
    DataCopy(yGm, out, 1024);
    outQueue.FreeTensor(out);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void too_much(GM_ADDR x, GM_ADDR y)
{
    Twice<49152, 53248>(x, y);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void too_short(GM_ADDR x, GM_ADDR y)
{
    Twice<1024, 4096>(x, y);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void to_the_brim(GM_ADDR x, GM_ADDR y)
{
    Twice<49152, 49152>(x, y);
}
