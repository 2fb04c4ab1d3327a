// Vector instructions that depend on each other, in a build without the compiler's synchronisation.
// a2lint: auto-sync off
#include "kernel_operator.h"
using namespace AscendC;

template <bool WAITS>
__aicore__ inline void Chain(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 4096);
    pipe.InitBuffer(out, 1, 4096);
    LocalTensor<float> tile = in.AllocTensor<float>();
    DataCopy(tile, xGm, 1024);
    in.EnQue(tile);
    tile = in.DeQue<float>();
    LocalTensor<float> twice = out.AllocTensor<float>();
    Muls(twice, tile, 2.0f, 1024);
    if constexpr (WAITS) {
        PipeBarrier<PIPE_V>();
    }
    Adds(twice, twice, 1.0f, 1024);  //~ ERROR race
    out.EnQue(twice);
    in.FreeTensor(tile);
    twice = out.DeQue<float>();
    DataCopy(yGm, twice, 1024);
    out.FreeTensor(twice);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void at_once(GM_ADDR x, GM_ADDR y) { Chain<false>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void after_a_barrier(GM_ADDR x, GM_ADDR y) { Chain<true>(x, y); }
