// Cores store single numbers next to each other: they share a cache line of 64 bytes, and one line is written back last.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=8, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void neighbours(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float *)y, 8);
    yGm.SetValue(GetBlockIdx(), 2.0f);  //~ WARNING scalar-line: on each core, 4 bytes apart, and a cache line has 64
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
}

// a2lint: launch(block_dim=8, x=float[8], y=float[8, 16])
extern "C" __global__ __aicore__ void a_line_each(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> yGm;
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 16, 16);
    for (int i = 0; i < 16; ++i) {
        yGm.SetValue(i, 2.0f);
    }
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(yGm);
}
