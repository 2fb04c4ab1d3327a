// The first core alone stores.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=4, x=float[64], y=float[4])
extern "C" __global__ __aicore__ void first_core(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float *)y, 4);
    if (GetBlockIdx() == 0) {
        for (int32_t i = 0; i < 4; ++i) {
            out.SetValue(i, 1.0f);
        }
    }
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(out);
}
