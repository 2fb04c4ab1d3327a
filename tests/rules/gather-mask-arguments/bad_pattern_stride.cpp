// GatherMask: the stride of a pattern.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_fixed {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 4, 8, 4}, kept);
    //~^ WARNING gather-mask-arguments: src1RepeatStride 4 does nothing: a fixed pattern is the
}
}  // namespace bad_fixed

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_stride_bad_fixed(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_fixed;
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

namespace bad_gap {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = 4;
    GatherMask(dst, src, pattern, false, 0, params, kept);
    //~^ WARNING gather-mask-arguments: each repeat of `GatherMask` takes 8 bytes of the
}
}  // namespace bad_gap

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_stride_bad_gap(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_gap;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, pattern);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_block_each {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, false, 0, {1, 4, 8, 1}, kept);
}
}  // namespace good_block_each

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_stride_good_block_each(GM_ADDR x, GM_ADDR y)
{
    using namespace good_block_each;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, pattern);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_default_written_out {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 4, 8, 8}, kept);
}
}  // namespace good_default_written_out

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_stride_good_default_written_out(GM_ADDR x, GM_ADDR y)
{
    using namespace good_default_written_out;
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

namespace good_fixed_default {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = 4;
    GatherMask(dst, src, 1, false, 0, params, kept);
}
}  // namespace good_fixed_default

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_stride_good_fixed_default(GM_ADDR x, GM_ADDR y)
{
    using namespace good_fixed_default;
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

namespace good_long_counter {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 2048, {1, 2, 256, 8}, kept);
}
}  // namespace good_long_counter

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_stride_good_long_counter(GM_ADDR x, GM_ADDR y)
{
    using namespace good_long_counter;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, pattern);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
//~ PARTLY: `GatherMask` of several repeats of so many elements is not followed
