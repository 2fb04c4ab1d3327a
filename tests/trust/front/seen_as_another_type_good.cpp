// A tensor that is looked at through its address or a reference is the same memory with other elements.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=int32[64], y=int32[64])
extern "C" __global__ __aicore__ void by_address(GM_ADDR x, GM_ADDR y)  //~ VERDICT by_address.bounds: proved-if y is
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<int32_t> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ int32_t *)x, 64);
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, 64);
    pipe.InitBuffer(buf, 256);
    LocalTensor<int32_t> all = buf.Get<int32_t>();
    DataCopy(all, xGm, 64);
    PipeBarrier<PIPE_ALL>();
    auto &bits = *reinterpret_cast<LocalTensor<uint32_t> *>(&all);
    ShiftRight(bits, bits, 31U, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 64);
}

__aicore__ inline void Flip(LocalTensor<half> &all, int32_t count)
{
    LocalTensor<int16_t> &bits = reinterpret_cast<LocalTensor<int16_t> &>(all);
    Not(bits, bits, count);
    Not((LocalTensor<int16_t> &)all, (LocalTensor<int16_t> &)all, count);
}

// a2lint: launch(block_dim=1, x=half[128], y=half[128])
extern "C" __global__ __aicore__ void by_reference(GM_ADDR x, GM_ADDR y)  //~ VERDICT by_reference.bounds: proved-if y is
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, 128);
    yGm.SetGlobalBuffer((__gm__ half *)y, 128);
    pipe.InitBuffer(buf, 256);
    LocalTensor<half> all = buf.Get<half>();
    DataCopy(all, xGm, 128);
    PipeBarrier<PIPE_ALL>();
    Flip(all, 128);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 128);
}
