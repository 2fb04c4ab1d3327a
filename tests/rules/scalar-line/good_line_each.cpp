// Sixteen numbers for each core are a line.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=3, y=float[48])
extern "C" __global__ __aicore__ void fill(GM_ADDR y)
{
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float *)y, 48);
    for (uint32_t i = 0; i < 16; ++i) {
        yGm.SetValue(GetBlockIdx() * 16 + i, 1.0f);
    }
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(yGm);
}
