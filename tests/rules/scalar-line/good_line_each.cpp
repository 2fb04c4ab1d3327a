// Each core has lines of its own.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void line_each(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float *)y, 64);
    for (int32_t i = 0; i < 16; ++i) {
        out.SetValue(GetBlockIdx() * 16 + i, 1.0f);
    }
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(out);
}
