// Distances from a number.
#include "abs_diff.h"

extern "C" __global__ __aicore__ void abs_diff(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(AbsDiffTilingData);
    GET_TILING_DATA_WITH_STRUCT(AbsDiffTilingData, data, tiling);
    AscendC::TPipe pipe;
    AbsDiffOp::AbsDiff<float> op;
    op.Init(x, y, &data, &pipe);
    op.Process();
}
