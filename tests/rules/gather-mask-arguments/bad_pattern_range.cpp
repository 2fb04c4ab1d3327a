// GatherMask: fixed patterns.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_eight {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    constexpr uint8_t pattern = 8;
    GatherMask<float>(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);
    //~^ ERROR gather-mask-arguments: the fixed patterns of `GatherMask` are 1 to 7,
}
}  // namespace bad_eight

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_range_bad_eight(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_eight;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace bad_zero {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 0, false, 0, {1, 1, 8, 0}, kept);
    //~^ ERROR gather-mask-arguments: the fixed patterns of `GatherMask` are 1 to 7,
}
}  // namespace bad_zero

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_range_bad_zero(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_zero;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_argument {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_argument

// a2lint: launch(block_dim=1, x=float[8], y=float[8], pattern=2)
extern "C" __global__ __aicore__ void pattern_range_good_argument(GM_ADDR x, GM_ADDR y, uint8_t pattern)
{
    using namespace good_argument;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, pattern);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_seven {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 7, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_seven

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_range_good_seven(GM_ADDR x, GM_ADDR y)
{
    using namespace good_seven;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
//~ PARTLY: there is no pattern 8 of `GatherMask`
//~ PARTLY: there is no pattern 0 of `GatherMask`
//~ PARTLY: a number has to be known when the kernel is compiled
