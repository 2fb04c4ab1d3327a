// Twelve numbers for each core: the chunks of two cores meet inside of a line.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=3, y=float[36])
extern "C" __global__ __aicore__ void fill(GM_ADDR y)
{
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float *)y, 36);
    for (uint32_t i = 0; i < 12; ++i) {
        yGm.SetValue(GetBlockIdx() * 12 + i, 1.0f);  //~ WARNING scalar-line: in which block 0 has stored other elements
    }
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(yGm);
}
