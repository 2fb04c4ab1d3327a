// Cores store single numbers next to each other: they share a line of the cache, and the line that is written back last
// replaces the other.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t APART, bool ALONE>
__aicore__ inline void Count(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 256 * GetBlockNum());
    yGm.SetGlobalBuffer((__gm__ float *)y, APART * GetBlockNum());
    TPipe pipe;
    TBuf<> tileBuf, sumBuf, workBuf;
    pipe.InitBuffer(tileBuf, 1024);
    pipe.InitBuffer(sumBuf, 32);
    pipe.InitBuffer(workBuf, 1024);
    LocalTensor<float> tile = tileBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    if (ALONE && GetBlockIdx() != 0) {
        return;
    }
    DataCopy(tile, xGm[GetBlockIdx() * 256], 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    ReduceSum(sum, tile, work, 256);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    const float total = sum.GetValue(0);
    for (uint32_t i = 0; i < APART; ++i) {
        yGm.SetValue(GetBlockIdx() * APART + i, total);  //~ WARNING scalar-line: in which block 0 has stored other elements
    }
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(yGm);
}

// a2lint: launch(block_dim=4, x=float[4, 256], y=float[4])
extern "C" __global__ __aicore__ void neighbours(GM_ADDR x, GM_ADDR y) { Count<1, false>(x, y); }

// a2lint: launch(block_dim=4, x=float[4, 256], y=float[4, 16])
extern "C" __global__ __aicore__ void a_line_each(GM_ADDR x, GM_ADDR y) { Count<16, false>(x, y); }

// a2lint: launch(block_dim=4, x=float[4, 256], y=float[1])
extern "C" __global__ __aicore__ void the_first_core(GM_ADDR x, GM_ADDR y) { Count<1, true>(x, y); }

// All cores store the same number to the same place, so that every copy of the line is the same.
// a2lint: launch(block_dim=4, x=float[256], y=float[1])
extern "C" __global__ __aicore__ void all_the_same(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float *)y, 1);
    yGm.SetValue(0, 2.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
}
