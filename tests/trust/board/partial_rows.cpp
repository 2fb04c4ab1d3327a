// Partial sums: ten tiles on eight cores fill five rows of the workspace, and eight are added up.
#include "kernel_operator.h"
using namespace AscendC;

template <bool AS_WRITTEN>
__aicore__ inline void Total(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t tiles)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GlobalTensor<float> xGm, yGm, partGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, tiles * 256);
    yGm.SetGlobalBuffer((__gm__ float *)y, 256);
    partGm.SetGlobalBuffer((__gm__ float *)GetUserWorkspace(workspace), 2048);
    TPipe pipe;
    TBuf<> tileBuf, sumBuf;
    pipe.InitBuffer(tileBuf, 1024);
    pipe.InitBuffer(sumBuf, 1024);
    LocalTensor<float> tile = tileBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    const uint32_t lanes = GetBlockNum();
    const uint32_t each = (tiles + lanes - 1) / lanes;
    const uint32_t first = GetBlockIdx() * each;
    const uint32_t last = first + each < tiles ? first + each : tiles;
    if (first < tiles) {
        Duplicate(sum, 0.0f, 256);
        for (uint32_t t = first; t < last; ++t) {
            SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
            WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
            DataCopy(tile, xGm[t * 256], 256);
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
            Add(sum, sum, tile, 256);
        }
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(partGm[GetBlockIdx() * 256], sum, 256);
    }
    SyncAll();
    if (GetBlockIdx() == 0) {
        const uint32_t rows = AS_WRITTEN ? (tiles + each - 1) / each : (tiles < lanes ? tiles : lanes);
        Duplicate(sum, 0.0f, 256);
        for (uint32_t r = 0; r < rows; ++r) {
            SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
            WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
            DataCopy(tile, partGm[r * 256], 256);
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
            Add(sum, sum, tile, 256);  //~ ERROR unseeded-accumulation: nothing has written it
        }
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(yGm, sum, 256);
    }
}

// a2lint: launch(block_dim=8, x=float[10, 256], y=float[256], workspace=float[2048], tiles=10)
extern "C" __global__ __aicore__ void as_many_as_cores(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t tiles)
{
    Total<false>(x, y, workspace, tiles);
}

// a2lint: launch(block_dim=8, x=float[10, 256], y=float[256], workspace=float[2048], tiles=10)
extern "C" __global__ __aicore__ void as_many_as_written(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t tiles)
{
    Total<true>(x, y, workspace, tiles);
}
