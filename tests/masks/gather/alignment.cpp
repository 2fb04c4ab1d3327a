// GatherMask: where operands of GatherMask start.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_constant {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst[3], src, 1, false, 0, {1, 1, 8, 0}, kept);
    //~^ ERROR operand-alignment: `dst[3]` [2045] starts 12 bytes past a 32-byte border,
}
}  // namespace bad_constant

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void alignment_bad_constant(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_constant;
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

namespace bad_elements_of_any_type {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(dst[3], src, 1, false, 0, {1, repeats, 8, 0}, kept);
    //~^ ERROR operand-alignment: `dst[3]` [2045] starts 12 bytes past a 32-byte border,
}
}  // namespace bad_elements_of_any_type

// a2lint: launch(block_dim=1, x=float[8], y=float[8], repeats=4)
extern "C" __global__ __aicore__ void alignment_bad_elements_of_any_type(GM_ADDR x, GM_ADDR y, uint16_t repeats)
{
    using namespace bad_elements_of_any_type;
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

namespace bad_running {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern, uint32_t rows) {
    uint64_t kept = 0;
    uint32_t total = 0;
    for (uint32_t i = 0; i < rows; i++) {
        GatherMask(dst[total], src[i * 64], pattern, true, 64, {1, 1, 8, 0}, kept);
        total += kept;
    }
}
}  // namespace bad_running

// a2lint: launch(block_dim=1, x=float[8], y=float[8], rows=2)
extern "C" __global__ __aicore__ void alignment_bad_running(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    using namespace bad_running;
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
    gather_columns(dst, src, pattern, rows);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_block {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst[8], src[64], 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_block

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void alignment_good_block(GM_ADDR x, GM_ADDR y)
{
    using namespace good_block;
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

namespace good_elements_of_some_type {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(dst[8], src, 1, false, 0, {1, repeats, 8, 0}, kept);
}
}  // namespace good_elements_of_some_type

// a2lint: launch(block_dim=1, x=float[8], y=float[8], repeats=4)
extern "C" __global__ __aicore__ void alignment_good_elements_of_some_type(GM_ADDR x, GM_ADDR y, uint16_t repeats)
{
    using namespace good_elements_of_some_type;
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

namespace good_rounded {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint32_t> &pattern, uint32_t rows) {
    uint64_t kept = 0;
    uint32_t total = 0;
    for (uint32_t i = 0; i < rows; i++) {
        GatherMask(dst[total], src[i * 64], pattern, true, 64, {1, 1, 8, 0}, kept);
        total += AlignUp(kept, 8);
    }
}
}  // namespace good_rounded

// a2lint: launch(block_dim=1, x=float[8], y=float[8], rows=2)
extern "C" __global__ __aicore__ void alignment_good_rounded(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    using namespace good_rounded;
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
    gather_columns(dst, src, pattern, rows);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
//~ PARTLY: a number could not be evaluated
