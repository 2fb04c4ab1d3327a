// The ids of two flags between cores are computed and never equal; one is set among the cubes, where vec cores wait.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, rounds=4)
extern "C" __global__ __aicore__ void among_cubes(uint32_t rounds)  //~ VERDICT among_cubes.progress: refuted
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    for (uint32_t i = 0; i < rounds; i++) {
        if ASCEND_IS_AIC {
            CrossCoreSetFlag<0, PIPE_FIX>(2 + i % 2);
            CrossCoreWaitFlag(6 + i % 2);  //~ ERROR deadlock: no lane can go on
        }
        if ASCEND_IS_AIV {
            CrossCoreWaitFlag(2 + i % 2);
            CrossCoreSetFlag<2, PIPE_MTE2>(6 + i % 2);
        }
    }
}
