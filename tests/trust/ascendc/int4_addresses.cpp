// `int4b_t` is a struct of one byte: an address moves by bytes, two elements each.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
__aicore__ inline __inout_pipe__(MTE2) void Load(const LocalTensor<T> &dst, const GlobalTensor<T> &src, uint32_t count)
{
    DataCopy(dst, src, count);
}

template <uint32_t PER_ADDRESS>
__aicore__ inline void Pack(GM_ADDR x, GM_ADDR y)
{
    const uint32_t at = GetBlockIdx() * 256;
    GlobalTensor<half> from;
    GlobalTensor<int4b_t> to;
    from.SetGlobalBuffer((__gm__ half *)x + at, 256);
    to.SetGlobalBuffer((__gm__ int4b_t *)y + at / PER_ADDRESS, 256);
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out;
    pipe.InitBuffer(in, 512);
    pipe.InitBuffer(out, 128);
    LocalTensor<half> src = in.Get<half>();
    LocalTensor<int4b_t> dst = out.Get<int4b_t>();
    Load(src, from, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Cast(dst, src, RoundMode::CAST_RINT, 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, dst, 256);  //~ ERROR gm-out-of-bounds: axis 0 has 512 elements
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=2, x=half[512], y=int4[512])
extern "C" __global__ __aicore__ void by_bytes(GM_ADDR x, GM_ADDR y) { Pack<2>(x, y); }

// a2lint: launch(block_dim=2, x=half[512], y=int4[512])
extern "C" __global__ __aicore__ void by_elements(GM_ADDR x, GM_ADDR y) { Pack<1>(x, y); }
//~ VERDICT by_bytes.bounds: proved-if x is at least [256 * GetBlockNum()]
