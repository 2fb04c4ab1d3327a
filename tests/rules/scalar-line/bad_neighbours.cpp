// Each core stores its number beside that of the next one.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=8, x=float[64], y=float[8])
extern "C" __global__ __aicore__ void neighbours(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float *)y, 8);
    out.SetValue(GetBlockIdx(), 1.0f);  //~ WARNING scalar-line: 4 bytes apart, and a cache line has 64
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(out);
}
