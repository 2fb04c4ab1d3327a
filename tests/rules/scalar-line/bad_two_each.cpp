// Two numbers of each core: half a line away from those of the next.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, x=float[64], y=float[32])
extern "C" __global__ __aicore__ void pairs(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float *)y, 32);
    for (int32_t i = 0; i < 2; ++i) {
        out.SetValue(GetBlockIdx() * 8 + i, 1.0f);  //~ WARNING scalar-line: 32 bytes apart
    }
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(out);
}
