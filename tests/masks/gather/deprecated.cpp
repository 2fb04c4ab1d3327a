// GatherMask: other forms and other functions of the name.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_five {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    GatherMask(dst, src, 1, false, {1, 1, 8, 0});
}
}  // namespace bad_five

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void deprecated_bad_five(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_five;
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

namespace bad_four {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    GatherMaskParams params{1, 1, 8, 0};
    GatherMask(dst, src, 1, params);
}
}  // namespace bad_four

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void deprecated_bad_four(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_four;
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

namespace good_own_function {
struct MyParams {
    uint32_t repeat;
};
// A function of the project's own that has the same name.
__aicore__ inline void GatherMask(__ubuf__ uint32_t *dst, __ubuf__ uint32_t *src, __ubuf__ uint32_t *pattern, MyParams &params) {
    vreducev2(dst, src, pattern, params.repeat, 1, 0, 8, 0);
}
__aicore__ inline void collect(__ubuf__ uint32_t *dst, __ubuf__ uint32_t *src, __ubuf__ uint32_t *pattern) {
    MyParams params;
    params.repeat = 4;
    GatherMask(dst, src, pattern, params);
}
__aicore__ inline void split(LocalTensor<float> &even, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(even, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_own_function

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void deprecated_good_own_function(GM_ADDR x, GM_ADDR y)
{
    using namespace good_own_function;
    TPipe pipe;
    TBuf<TPosition::VECCALC> evenBuf;
    pipe.InitBuffer(evenBuf, 8192);
    LocalTensor<float> even = evenBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(even, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    split(even, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, even, 8);
}

namespace good_qualified {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    AscendC::GatherMask<float>(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_qualified

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void deprecated_good_qualified(GM_ADDR x, GM_ADDR y)
{
    using namespace good_qualified;
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

namespace good_seven {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_seven

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void deprecated_good_seven(GM_ADDR x, GM_ADDR y)
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
//~ PARTLY: no overload fits this call of `GatherMask`
