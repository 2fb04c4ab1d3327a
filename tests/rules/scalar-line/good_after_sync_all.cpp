// The second half of the line is stored after all cores have met, and the first half is in memory then.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, y=float[2])
extern "C" __global__ __aicore__ void in_turn(GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float *)y, 2);
    if (GetBlockIdx() == 0) {
        yGm.SetValue(0, 1.0f);
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
    }
    SyncAll();
    if (GetBlockIdx() == 1) {
        yGm.SetValue(1, 2.0f);
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
    }
}
