// What must not be guessed: macros, templates, values of the caller, parameters filled elsewhere.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline GatherMaskParams MakeParams(uint16_t repeats) {
    return {1, repeats, 8, 0};
}

#define CHECK(call) do { call; } while (0)
#define STRIDE 8

template <typename T, uint16_t repeats, bool counter>
__aicore__ inline void take(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint8_t pattern, uint32_t mask) {
    uint64_t kept = 0;
    GatherMaskParams params = MakeParams(repeats);
    if constexpr (sizeof(T) == sizeof(float)) {
        GatherMask<T>(dst, src, pattern, counter, mask, params, kept);
    } else {
        GatherMask<T>(dst[mask], src, pattern, counter, mask, {1, repeats, STRIDE, 0}, kept);
    }
    CHECK(GatherMask(dst, src, pattern, counter, mask, params, kept));
#ifdef DEBUG_DUMP
    DumpTensor(dst, 0, 64);
#endif
}

// a2lint: launch(block_dim=1, y=float[8])
extern "C" __global__ __aicore__ void helpers_and_macros(GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 1024);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 1024);
    LocalTensor<float> dst = dstBuf.Get<float>();
    Duplicate(src, 1.0f, 256);
    Duplicate(dst, 0.0f, 256);
    PipeBarrier<PIPE_ALL>();
    take<float, 1, true>(dst, src, 1, 64);
    take<float, 4, false>(dst, src, 2, 0);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
