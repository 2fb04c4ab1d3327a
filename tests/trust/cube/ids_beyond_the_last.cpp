// There are 16 flags between lanes; ids that are computed go as far as the launch makes them.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, n=4)
extern "C" __global__ __aicore__ void up_to_sixteen(uint32_t n)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    for (uint32_t i = 0; i < n; i++) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<2, PIPE_FIX>(13 + i % 4);  //~ ERROR flag-id: flag id 16; ids go from 0 to 15
        }
        if ASCEND_IS_AIV {
            CrossCoreWaitFlag(13 + i % 4);  //~ ERROR flag-id: flag id 16
        }
    }
}

// a2lint: launch(block_dim=1, n=4)
extern "C" __global__ __aicore__ void two_in_turn(uint32_t n)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    for (uint32_t i = 0; i < n; i++) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<2, PIPE_FIX>(3 + i % 2);
        }
        if ASCEND_IS_AIV {
            CrossCoreWaitFlag(3 + i % 2);
        }
    }
}
