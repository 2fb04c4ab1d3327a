// Padding that fills a row to a width: at most 32 bytes fit beside a row, whatever computes their number.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t WIDTH>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TBuf<> memory;
    pipe.InitBuffer(memory, 1024 * sizeof(float));
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, n);
    to.SetGlobalBuffer((__gm__ float *)y, n);
    LocalTensor<float> row = memory.Get<float>();
    uint8_t rest = (n + WIDTH - 1) / WIDTH * WIDTH - n;
    DataCopyPadExtParams<float> pad{true, 0, rest, 0.0f};
    DataCopyPad(row, from, DataCopyExtParams{1, uint32_t(n * sizeof(float)), 0, 0, 0}, pad); //~ ERROR repeat-range: bytes of padding
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(to, row, DataCopyExtParams{1, uint32_t(n * sizeof(float)), 0, 0, 0});
}

// a2lint: assume(1 <= n, n <= 640)
// a2lint: launch(block_dim=1, x=float[20], y=float[20], n=20)
extern "C" __global__ __aicore__ void to_a_repeat(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Copy<64>(x, y, n);
}

// a2lint: assume(1 <= n, n <= 640)
// a2lint: launch(block_dim=1, x=float[20], y=float[20], n=20)
extern "C" __global__ __aicore__ void to_a_block(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT to_a_block.operands: proved
{
    Copy<8>(x, y, n);
}
