// In counter mode, a reduction of blocks by address takes as many elements as the mask counts, whatever its repeats:
// one result for each block of eight.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    uint32_t rows;
};

constexpr uint32_t MOST = 96;

template <uint32_t PER_ROW>
__aicore__ inline void RowMax(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, MOST * 8);
    to.SetGlobalBuffer((__gm__ float *)y, MOST);
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out;
    pipe.InitBuffer(in, MOST * 8 * sizeof(float));
    pipe.InitBuffer(out, MOST * sizeof(float));
    LocalTensor<float> src = in.Get<float>();
    LocalTensor<float> dst = out.Get<float>();
    DataCopyPad(src, from, DataCopyExtParams(1, rows * 8 * sizeof(float), 0, 0, 0),
                DataCopyPadExtParams<float>(false, 0, 0, 0.0f));
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    AscendCUtils::SetMaskCount<float>();
    SetVectorMask<float, MaskMode::COUNTER>(0, rows * PER_ROW);
    BlockReduceMaxIntrinsicsImpl((__ubuf__ float *)dst.GetPhyAddr(), (__ubuf__ float *)src.GetPhyAddr(), 1, 1, 1, 8);
    AscendCUtils::SetMaskNorm<float>();
    ResetMask();
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(to, dst, DataCopyExtParams(1, rows * sizeof(float), 0, 0, 0));  //~ ERROR uninitialized-read: stores undefined elements of `dst`
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, x=float[720], y=float[90], tiling.rows=90)
extern "C" __global__ __aicore__ void all_rows(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Tiling, data, tiling);
    RowMax<8>(x, y, data.rows);
}

// Half of the blocks have no result.
// a2lint: launch(block_dim=1, x=float[768], y=float[96], tiling.rows=90)
extern "C" __global__ __aicore__ void half_of_them(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Tiling, data, tiling);
    RowMax<4>(x, y, data.rows);
}
//~ VERDICT all_rows.initialised: tested
