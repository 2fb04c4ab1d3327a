// A constant array of the source lies in global memory: the kernel is not given it, and its elements are known.
#include "kernel_operator.h"
using namespace AscendC;

const __gm__ int32_t offsets[16] = {0, 8, 16, 24, 32, 40, 48, 56, 4, 12, 20, 28, 36, 44, 52, 60};

template <uint32_t FROM>
__aicore__ inline void Pick(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    GlobalTensor<int32_t> table;
    from.SetGlobalBuffer((__gm__ float *)x, 16);
    to.SetGlobalBuffer((__gm__ float *)y, 8);
    table.SetGlobalBuffer((__gm__ int32_t *)offsets, 16);
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, at, out;
    pipe.InitBuffer(in, 64);
    pipe.InitBuffer(at, 32);
    pipe.InitBuffer(out, 32);
    LocalTensor<float> src = in.Get<float>();
    LocalTensor<int32_t> index = at.Get<int32_t>();
    LocalTensor<float> dst = out.Get<float>();
    DataCopy(src, from, 16);
    DataCopy(index, table[FROM], 8);  //~ ERROR gm-out-of-bounds: axis 0 has 16 elements
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Gather(dst, src, index.ReinterpretCast<uint32_t>(), 0, 8);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, dst, 8);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[16], y=float[8])
extern "C" __global__ __aicore__ void second_half(GM_ADDR x, GM_ADDR y) { Pick<8>(x, y); }

// a2lint: launch(block_dim=1, x=float[16], y=float[8])
extern "C" __global__ __aicore__ void behind_its_end(GM_ADDR x, GM_ADDR y) { Pick<12>(x, y); }
//~ VERDICT second_half.initialised: tested
