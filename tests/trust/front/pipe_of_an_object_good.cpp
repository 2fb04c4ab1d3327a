// A pipe that ends with its object, at the end of a round, of a block or of a function, gives back ids and memory.
#include "kernel_operator.h"
using namespace AscendC;

class Shift {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, int part)
    {
        xGm.SetGlobalBuffer((__gm__ float *)x + part * 64, 64);
        yGm.SetGlobalBuffer((__gm__ float *)y + part * 64, 64);
        pipe.InitBuffer(loads, 2, 128);
        pipe.InitBuffer(stores, 2, 128);
        for (int i = 0; i < 2; ++i) {
            LocalTensor<float> in = loads.AllocTensor<float>();
            DataCopy(in, xGm[i * 32], 32);
            loads.EnQue(in);
            in = loads.DeQue<float>();
            LocalTensor<float> out = stores.AllocTensor<float>();
            Adds(out, in, 1.0f, 32);
            stores.EnQue(out);
            loads.FreeTensor(in);
            out = stores.DeQue<float>();
            DataCopy(yGm[i * 32], out, 32);
            stores.FreeTensor(out);
        }
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> loads;
    TQue<QuePosition::VECOUT, 2> stores;
    GlobalTensor<float> xGm, yGm;
};

// Ten objects one after the other, unrolled: 20 buffers in all, 2 at a time.
// a2lint: launch(block_dim=1, x=float[640], y=float[640])
extern "C" __global__ __aicore__ void in_a_loop(GM_ADDR x, GM_ADDR y)  //~ VERDICT in_a_loop.progress: proved
{
    if (GetBlockIdx() != 0) {
        return;
    }
    for (int part = 0; part < 10; ++part) {
        Shift op;
        op.Run(x, y, part);
    }
}

// a2lint: launch(block_dim=1, x=float[320], y=float[320])
extern "C" __global__ __aicore__ void in_blocks(GM_ADDR x, GM_ADDR y)  //~ VERDICT in_blocks.progress: proved
{
    { Shift op; op.Run(x, y, 0); }
    { Shift op; op.Run(x, y, 1); }
    { Shift op; op.Run(x, y, 2); }
    { Shift op; op.Run(x, y, 3); }
    { Shift op; op.Run(x, y, 4); }
}

__aicore__ inline void One(GM_ADDR x, GM_ADDR y, int part)
{
    Shift op;
    if (part > 8) {
        return;
    }
    op.Run(x, y, part);
}

// a2lint: launch(block_dim=1, x=float[448], y=float[448], parts=7)
extern "C" __global__ __aicore__ void in_a_function(GM_ADDR x, GM_ADDR y, int parts)
{
    for (int part = 0; part < parts; ++part) {
        One(x, y, part);
    }
}

// What an object has stored is there for the next one: its end waits for all pipes.
// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void one_after_the_other(GM_ADDR x, GM_ADDR y)
{
    { Shift op; op.Run(x, y, 0); }
    { Shift op; op.Run(y, y, 0); }
}

// The pipe is made in both arms: masks, ids and atomics are the same after them.
// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void in_arms(GM_ADDR x, GM_ADDR y)
{
    if (GetBlockNum() == 1) {
        for (int part = 0; part < 2; ++part) {
            Shift op;
            op.Run(x, y, part);
        }
    } else {
        Shift op;
        op.Run(x, y, GetBlockIdx());
    }
}
