// One over one plus the exponential.
#include "sigmoid_like.h"

extern "C" __global__ __aicore__ void sigmoid_like(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(SigmoidLikeTilingData);
    GET_TILING_DATA_WITH_STRUCT(SigmoidLikeTilingData, data, tiling);
    AscendC::TPipe pipe;
    SigmoidLikeOp::SigmoidLike<float> op;
    op.Init(x, y, &data, &pipe);
    op.Process();
}
