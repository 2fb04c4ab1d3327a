// Each core counts for itself, and stores its number next to those of the others.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, y=int[4])
extern "C" __global__ __aicore__ void count(GM_ADDR y)
{
    GlobalTensor<int32_t> yGm;
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, GetBlockNum());
    int32_t total = 0;
    for (int32_t i = 0; i < 10; ++i) {
        total += i * static_cast<int32_t>(GetBlockIdx());
    }
    yGm.SetValue(GetBlockIdx(), total);  //~ WARNING scalar-line: on block 1 stores into a cache line of `y`
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
}
