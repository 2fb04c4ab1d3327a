// The positive part of a sum.
#include "relu_bias.h"

extern "C" __global__ __aicore__ void relu_bias(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(ReluBiasTilingData);
    GET_TILING_DATA_WITH_STRUCT(ReluBiasTilingData, data, tiling);
    AscendC::TPipe pipe;
    if (TILING_KEY_IS(3)) {
        ReluBiasOp::ReluBias<float> op;
        op.Init(x, y, &data, &pipe);
        op.Process();
    }
}
