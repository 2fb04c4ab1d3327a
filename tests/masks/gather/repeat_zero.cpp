// GatherMask: a repeat count of 0.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_counter_default {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    GatherMask(dst, src, 1, true, 64, params, kept);  //~ WARNING no-effect: GatherMask() with repeat 0 does nothing
}
}  // namespace bad_counter_default

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_zero_bad_counter_default(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_counter_default;
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

namespace bad_default {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.src0RepeatStride = 8;
    GatherMask(dst, src, 1, false, 0, params, kept);  //~ WARNING no-effect: GatherMask() with repeat 0 does nothing
}
}  // namespace bad_default

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_zero_bad_default(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_default;
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

namespace bad_written {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 0, 8, 0}, kept);
    //~^ WARNING no-effect: GatherMask() with repeat 0 does nothing
}
}  // namespace bad_written

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_zero_bad_written(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_written;
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

namespace good_counter_of_an_open_file {
// Inference products count the mask alone, and nothing says what this file is for.
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, true, 64, {1, 0, 8, 0}, kept);
    //~^ WARNING no-effect: GatherMask() with repeat 0 does nothing
}
}  // namespace good_counter_of_an_open_file

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_zero_good_counter_of_an_open_file(GM_ADDR x, GM_ADDR y)
{
    using namespace good_counter_of_an_open_file;
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

namespace good_older_structure {
// An older generation of the structure: its fields have other names, and other defaults.
__aicore__ inline void gather_flags(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &bits) {
    GatherMaskParams params;
    params.repeat = 4;
    params.patternMode = 0;
    uint64_t kept = 0;
    GatherMask(dst, src, bits, false, 0, params, kept);
    //~^ WARNING no-effect: GatherMask() with repeat 0 does nothing
}
}  // namespace good_older_structure

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_zero_good_older_structure(GM_ADDR x, GM_ADDR y)
{
    using namespace good_older_structure;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> bitsBuf;
    pipe.InitBuffer(bitsBuf, 8192);
    LocalTensor<uint32_t> bits = bitsBuf.Get<uint32_t>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(bits, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_flags(dst, src, bits);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_set {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = 4;
    GatherMask(dst, src, 1, false, 0, params, kept);
}
}  // namespace good_set

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void repeat_zero_good_set(GM_ADDR x, GM_ADDR y)
{
    using namespace good_set;
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

namespace good_set_by_a_helper {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, int rows) {
    uint64_t kept = 0;
    GatherMaskParams params;
    fill(params, rows);
    GatherMask(dst, src, 1, false, 0, params, kept);
}
}  // namespace good_set_by_a_helper

// a2lint: launch(block_dim=1, x=float[8], y=float[8], rows=2)
extern "C" __global__ __aicore__ void repeat_zero_good_set_by_a_helper(GM_ADDR x, GM_ADDR y, int rows)
{
    using namespace good_set_by_a_helper;
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
    gather_columns(dst, src, rows);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
//~ PARTLY: `GatherMaskParams` has no member `repeat`
//~ PARTLY: `GatherMaskParams` has no member `patternMode`
//~ PARTLY: `fill` is not known
