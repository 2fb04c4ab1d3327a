// GatherMask: repeats that read elements twice.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_of_any_count {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, repeats, 4, 0}, kept);
}
}  // namespace bad_of_any_count

// a2lint: launch(block_dim=1, x=float[8], y=float[8], repeats=4)
extern "C" __global__ __aicore__ void repeat_overlap_bad_of_any_count(GM_ADDR x, GM_ADDR y, uint16_t repeats)
{
    using namespace bad_of_any_count;
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
    gather_columns(dst, src, repeats);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace bad_of_any_type {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 4, 1, 0}, kept);
    //~^ WARNING gather-mask-arguments: 4 repeats of `GatherMask` start 8 elements apart and
}
}  // namespace bad_of_any_type

// a2lint: launch(block_dim=1, x=float[8], y=float[8], repeats=4)
extern "C" __global__ __aicore__ void repeat_overlap_bad_of_any_type(GM_ADDR x, GM_ADDR y, uint16_t repeats)
{
    using namespace bad_of_any_type;
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
    gather_columns(dst, src, repeats);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace bad_one_block {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 3, false, 0, {1, 4, 1, 0}, kept);
    //~^ WARNING gather-mask-arguments: 4 repeats of `GatherMask` start 8 elements apart and
}
}  // namespace bad_one_block

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_overlap_bad_one_block(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_one_block;
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
    GatherMaskParams params;
    params.repeatTimes = 2;
    params.src0RepeatStride = 0;
    GatherMask(dst, src, 1, false, 0, params, kept);
    //~^ WARNING gather-mask-arguments: 2 repeats of `GatherMask` start 0 elements apart and
}
}  // namespace bad_zero

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_overlap_bad_zero(GM_ADDR x, GM_ADDR y)
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

namespace good_counter {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 3, true, 1, {1, 8, 1, 0}, kept);
}
}  // namespace good_counter

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_overlap_good_counter(GM_ADDR x, GM_ADDR y)
{
    using namespace good_counter;
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

namespace good_eight {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 3, false, 0, {1, 4, 8, 0}, kept);
}
}  // namespace good_eight

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_overlap_good_eight(GM_ADDR x, GM_ADDR y)
{
    using namespace good_eight;
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

namespace good_of_any_count {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, repeats, 8, 0}, kept);
    GatherMask(dst, src, 1, false, 0, {1, repeats, 0, 0}, kept);
}
}  // namespace good_of_any_count

// a2lint: launch(block_dim=1, x=float[8], y=float[8], repeats=4)
extern "C" __global__ __aicore__ void repeat_overlap_good_of_any_count(GM_ADDR x, GM_ADDR y, uint16_t repeats)
{
    using namespace good_of_any_count;
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
    gather_columns(dst, src, repeats);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_single_repeat {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 2, false, 0, {1, 1, 0, 0}, kept);
}
}  // namespace good_single_repeat

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_overlap_good_single_repeat(GM_ADDR x, GM_ADDR y)
{
    using namespace good_single_repeat;
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
