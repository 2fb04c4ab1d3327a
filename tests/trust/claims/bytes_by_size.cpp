// Addresses and lengths in bytes that a launch decides: what is no whole number of elements is no element's address.
#include "kernel_operator.h"
using namespace AscendC;

// Bits of rows, then sums: the sums start behind the last byte of bits.
template <uint32_t UNIT>
__aicore__ inline void Behind(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TBuf<> memory;
    pipe.InitBuffer(memory, 1024);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> sums = memory.GetWithOffset<float>(64, (n + UNIT - 1) / UNIT * (UNIT / 8)); //~ ERROR undefined-arithmetic: no multiple of the 4
    DataCopy(sums, from, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, sums, 64);
}

// a2lint: assume(1 <= n, n <= 24)
// a2lint: launch(block_dim=1, x=float[64], y=float[64], n=9)
extern "C" __global__ __aicore__ void behind_bytes(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    Behind<8>(x, y, n);
}

// a2lint: assume(1 <= n, n <= 24)
// a2lint: launch(block_dim=1, x=float[64], y=float[64], n=9)
extern "C" __global__ __aicore__ void behind_a_block(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT behind_a_block.scalars: proved
{
    Behind<256>(x, y, n);
}

template <uint32_t SIZE>
__aicore__ inline void Store(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TBuf<> memory;
    pipe.InitBuffer(memory, 1024);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 32);
    LocalTensor<float> row = memory.Get<float>();
    DataCopy(row, from, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(to, row, DataCopyExtParams{1, n * SIZE, 0, 0, 0});
}

// The launch stores whole floats; others do not.
// a2lint: assume(1 <= n, n <= 64)
// a2lint: launch(block_dim=1, x=float[64], y=float[32], n=64)
extern "C" __global__ __aicore__ void halves(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT halves.scalars: open
{
    Store<2>(x, y, n);
}

// a2lint: assume(1 <= n, n <= 32)
// a2lint: launch(block_dim=1, x=float[64], y=float[32], n=32)
extern "C" __global__ __aicore__ void floats(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT floats.scalars: proved
{
    Store<4>(x, y, n);
}

// Halves of the contract are whole floats.
// a2lint: assume(2 <= n, n <= 64, n % 2 == 0)
// a2lint: launch(block_dim=1, x=float[64], y=float[32], n=64)
extern "C" __global__ __aicore__ void pairs(GM_ADDR x, GM_ADDR y, uint32_t n) //~ VERDICT pairs.scalars: proved
{
    Store<2>(x, y, n);
}
