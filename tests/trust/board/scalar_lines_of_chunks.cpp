// Each core stores ten numbers: its last ones share a line of the cache with the first ones of the next core.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t EACH>
__aicore__ inline void Fill(GM_ADDR y, uint32_t n)
{
    GlobalTensor<int32_t> yGm;
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, n);
    const uint32_t first = GetBlockIdx() * EACH;
    for (uint32_t i = first; i < first + EACH && i < n; ++i) {
        yGm.SetValue(i, static_cast<int32_t>(i));  //~ WARNING scalar-line: on block 1 stores into a cache line
    }
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(yGm);
}

// a2lint: launch(block_dim=4, y=int[38], n=38)
extern "C" __global__ __aicore__ void ten_each(GM_ADDR y, uint32_t n) { Fill<10>(y, n); }

// a2lint: launch(block_dim=4, y=int[120], n=120)
extern "C" __global__ __aicore__ void lines_each(GM_ADDR y, uint32_t n) { Fill<32>(y, n); }
