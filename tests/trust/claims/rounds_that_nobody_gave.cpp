#include "kernel_operator.h"
using namespace AscendC;

// The host computes how many rounds belong to each length.
// a2lint: launch(block_dim=1, lengths=int[48], rounds=int[48], n=48)
extern "C" __global__ __aicore__ void rounds_of_the_host(GM_ADDR lengths, GM_ADDR rounds, uint32_t n)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GlobalTensor<int32_t> length, round;
    length.SetGlobalBuffer((__gm__ int32_t *)lengths);
    round.SetGlobalBuffer((__gm__ int32_t *)rounds);
    for (uint32_t at = 0; at < n; at++) {
        if ASCEND_IS_AIC {
            for (int32_t i = 0; i < round.GetValue(at); i++) {
                CrossCoreSetFlag<2, PIPE_FIX>(4);
            }
        }
        if ASCEND_IS_AIV {
            for (int32_t i = 0; i < length.GetValue(at); i += 16) {
                CrossCoreWaitFlag(4);
            }
        }
    }
}
