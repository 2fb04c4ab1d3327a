// What is declared of a class where the class is defined, in a function, exists: `struct Part { … } first, second;`.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y) //~ VERDICT k.initialised: proved-if
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 4096, 4096);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 4096, 4096);
    TPipe pipe;
    TBuf<> first, second;
    pipe.InitBuffer(first, 16384);
    pipe.InitBuffer(second, 16384);
    struct Part {
        LocalTensor<float> tensor;
        int length;
    } read{first.Get<float>(), 4096}, written{second.Get<float>(), 4096};
    DataCopy(read.tensor, from, read.length);
    PipeBarrier<PIPE_ALL>();
    Adds(written.tensor, read.tensor, 1.0f, written.length);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, written.tensor, written.length);
}
