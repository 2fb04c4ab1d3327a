// Stores that stay atomic on one of the paths to the kernel's end: the next kernel may inherit the mode.
#include "kernel_operator.h"
using namespace AscendC;

template <int MODE>
__aicore__ inline void Add(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TBuf<> memory;
    pipe.InitBuffer(memory, 256);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> row = memory.Get<float>();
    DataCopy(row, from, 64);
    PipeBarrier<PIPE_ALL>();
    SetAtomicAdd<float>();
    DataCopy(to, row, 64);
    if constexpr (MODE == 0) {
        if (GetBlockIdx() == 0) {
            SetAtomicNone();
        }
    } else if constexpr (MODE == 1) {
        if (n == 7) {
            return;
        }
        SetAtomicNone();
    } else {
        for (uint32_t i = 0; i < n; ++i) {
            SetAtomicNone();
            PipeBarrier<PIPE_ALL>();
            SetAtomicAdd<float>();
            DataCopy(to, row, 64);
            SetAtomicNone();
        }
        SetAtomicNone();
    }
}

// a2lint: assume(1 <= n, n <= 64)
// a2lint: launch(block_dim=2, x=float[128], y_ref=float[64], n=8)
extern "C" __global__ __aicore__ void on_other_cores(GM_ADDR x, GM_ADDR y_ref, uint32_t n)
{
    Add<0>(x, y_ref, n);
}
//~ PARTLY: whether stores are still atomic when the kernel ends

// a2lint: assume(1 <= n, n <= 64)
// a2lint: launch(block_dim=2, x=float[128], y_ref=float[64], n=8)
extern "C" __global__ __aicore__ void before_a_return(GM_ADDR x, GM_ADDR y_ref, uint32_t n)
{
    Add<1>(x, y_ref, n);
}
//~ PARTLY: whether stores are still atomic when the kernel ends

// a2lint: assume(1 <= n, n <= 64)
// a2lint: launch(block_dim=2, x=float[128], y_ref=float[64], n=8)
extern "C" __global__ __aicore__ void in_a_loop(GM_ADDR x, GM_ADDR y_ref, uint32_t n) //~ VERDICT in_a_loop.operands: proved
{
    Add<2>(x, y_ref, n);
}
