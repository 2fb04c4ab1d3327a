// total += the sum of the rows of each core: the result is set to zero, all cores wait, and each adds its part. The
// numbers come from tiling data in global memory: by name, and the factor by its bits.
#include "kernel_operator.h"

using namespace AscendC;

struct RowsShape {
    uint32_t rows;
    uint32_t columns;
};

struct RowsTiling {
    RowsShape shape;
    uint32_t factorBits[2];
};

// a2lint: launch(block_dim=2, x=float[6, 72], total=float[72], tiling.shape.rows=3, tiling.shape.columns=72, tiling.factorBits[1]=1056964608)
extern "C" __global__ __aicore__ void counted_rows(GM_ADDR x, GM_ADDR total, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    auto data = (__gm__ RowsTiling *)tiling;
    const uint32_t rows = data->shape.rows, columns = data->shape.columns;
    uint32_t bits = data->factorBits[1];
    const float factor = *reinterpret_cast<float *>(&bits);
    TPipe pipe;
    TBuf<> rowBuf, sumBuf;
    GlobalTensor<float> xGm, totalGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * rows * columns, rows * columns);
    totalGm.SetGlobalBuffer((__gm__ float *)total, columns);
    pipe.InitBuffer(rowBuf, columns * sizeof(float));
    pipe.InitBuffer(sumBuf, columns * sizeof(float));
    LocalTensor<float> row = rowBuf.Get<float>(), sum = sumBuf.Get<float>();
    TQueSync<PIPE_MTE2, PIPE_V> loaded;
    TQueSync<PIPE_V, PIPE_MTE2> used;
    if (GetBlockIdx() == 0) {
        InitOutput<float>(totalGm, columns, 0.0f);
    }
    SyncAll();
    Duplicate(sum, 0.0f, columns);
    for (uint32_t at = 0; at < rows; at++) {
        DataCopy(row, xGm[at * columns], columns);
        loaded.SetFlag(0);
        loaded.WaitFlag(0);
        Axpy(sum, row, factor, columns);
        used.SetFlag(0);
        used.WaitFlag(0);
    }
    TQueSync<PIPE_V, PIPE_MTE3> done;
    done.SetFlag(0);
    done.WaitFlag(0);
    SetAtomicAdd<float>();
    DataCopy(totalGm, sum, columns);
    SetAtomicNone();
}
