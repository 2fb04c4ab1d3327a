// Squares, with a buffer for what is between.
#include "square_add.h"

extern "C" __global__ __aicore__ void square_add(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(SquareAddTilingData);
    GET_TILING_DATA_WITH_STRUCT(SquareAddTilingData, data, tiling);
    AscendC::TPipe pipe;
    if (TILING_KEY_IS(1)) {
        SquareAddOp::SquareAdd<float> op;
        op.Init(x, y, &data, &pipe);
        op.Process();
    }
}
