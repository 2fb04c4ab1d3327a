// GatherMask: what GatherMask has not written.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_fixed {
__aicore__ inline void gather_columns(GlobalTensor<float> &out, LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, dst, 64);
    //~^ ERROR uninitialized-read: DataCopy() stores undefined elements of `dst` (its `src`) to
}
}  // namespace bad_fixed

// a2lint: launch(block_dim=1, x=float[8], y=float[64])
extern "C" __global__ __aicore__ void count_ignored_bad_fixed(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_fixed;
    TPipe pipe;
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    //~^ WARNING unused-buffer: `patternBuf` [2048] is written and never read: 8192 bytes
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(out, dst, src, pattern);
}

namespace bad_tensor {
__aicore__ inline void gather_columns(GlobalTensor<float> &out, LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern, LocalTensor<float> &bound) {
    uint64_t kept = 0;
    Compare(pattern.ReinterpretCast<uint8_t>(), src, bound, CMPMODE::LT, 64);
    GatherMask(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, dst, 64);
    //~^ ERROR uninitialized-read: DataCopy() stores undefined elements of `dst` (its `src`) to
}
}  // namespace bad_tensor

// a2lint: launch(block_dim=1, x=float[8], y=float[64])
extern "C" __global__ __aicore__ void count_ignored_bad_tensor(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_tensor;
    TPipe pipe;
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    TBuf<TPosition::VECCALC> boundBuf;
    pipe.InitBuffer(boundBuf, 8192);
    LocalTensor<float> bound = boundBuf.Get<float>();
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    Duplicate(bound, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(out, dst, src, pattern, bound);
}

namespace good_counted {
__aicore__ inline void gather_columns(GlobalTensor<float> &out, LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(out, dst, {1, static_cast<uint32_t>(kept * sizeof(float)), 0, 0, 0});
}
}  // namespace good_counted

// a2lint: launch(block_dim=1, x=float[8], y=float[32])
extern "C" __global__ __aicore__ void count_ignored_good_counted(GM_ADDR x, GM_ADDR y)
{
    using namespace good_counted;
    TPipe pipe;
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(out, dst, src, pattern);
}

namespace good_known_count {
__aicore__ inline void gather_columns(GlobalTensor<float> &out, LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, dst, 32);
}
}  // namespace good_known_count

// a2lint: launch(block_dim=1, x=float[8], y=float[32])
extern "C" __global__ __aicore__ void count_ignored_good_known_count(GM_ADDR x, GM_ADDR y)
{
    using namespace good_known_count;
    TPipe pipe;
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    //~^ WARNING unused-buffer: `patternBuf` [2048] is written and never read: 8192 bytes
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(out, dst, src, pattern);
}

namespace good_pattern_of_the_caller {
// The pattern keeps the last eight of sixteen, as its author knows.
__aicore__ inline void shift_tail(GlobalTensor<float> &out, LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 16, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out, dst, 8);
}
}  // namespace good_pattern_of_the_caller

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void count_ignored_good_pattern_of_the_caller(GM_ADDR x, GM_ADDR y)
{
    using namespace good_pattern_of_the_caller;
    TPipe pipe;
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(src, 1.0f, 2048);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    shift_tail(out, dst, src, pattern);
}
//~ PARTLY: a number could not be evaluated
