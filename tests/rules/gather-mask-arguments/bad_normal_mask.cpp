// GatherMask: a mask in Normal mode.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_count {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 70, {1, 2, 8, 0}, kept);
    //~^ ERROR gather-mask-arguments: `GatherMask` ignores the mask 70 in Normal mode: each
}
}  // namespace bad_count

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void normal_mask_bad_count(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_count;
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

namespace bad_named_mode {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    const bool counter = false;
    constexpr uint32_t COUNT = 4 * 16;
    GatherMask(dst, src, 2, counter, COUNT, {1, 1, 8, 0}, kept);
    //~^ ERROR gather-mask-arguments: `GatherMask` ignores the mask 64 in Normal mode: each
}
}  // namespace bad_named_mode

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void normal_mask_bad_named_mode(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_named_mode;
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
    GatherMask(dst, src, 1, true, 70, {1, 1, 8, 0}, kept);
}
}  // namespace good_counter

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void normal_mask_good_counter(GM_ADDR x, GM_ADDR y)
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

namespace good_zero {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 2, 8, 0}, kept);
}
}  // namespace good_zero

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void normal_mask_good_zero(GM_ADDR x, GM_ADDR y)
{
    using namespace good_zero;
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
