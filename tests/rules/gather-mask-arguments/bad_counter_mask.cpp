// GatherMask: the mask of Counter mode.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_variable {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    uint32_t mask = 0;
    GatherMask(dst, src, 1, true, mask, {1, 1, 8, 0}, kept);
    //~^ ERROR gather-mask-arguments: `GatherMask` in Counter mode takes 0 elements
}
}  // namespace bad_variable

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void counter_mask_bad_variable(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_variable;
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
    GatherMask(dst, src, 1, true, 0, {1, 1, 8, 0}, kept);
    //~^ ERROR gather-mask-arguments: `GatherMask` in Counter mode takes 0 elements
}
}  // namespace bad_zero

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void counter_mask_bad_zero(GM_ADDR x, GM_ADDR y)
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

namespace good_one {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, true, 1, {1, 8, 1, 0}, kept);
}
}  // namespace good_one

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void counter_mask_good_one(GM_ADDR x, GM_ADDR y)
{
    using namespace good_one;
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

namespace good_set_in_a_branch {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, int rows) {
    uint64_t kept = 0;
    uint32_t mask = 0;
    if (rows > 0) {
        mask = 64;
    }
    GatherMask(dst, src, 1, true, mask, {1, 1, 8, 0}, kept);
}
}  // namespace good_set_in_a_branch

// a2lint: launch(block_dim=1, x=float[8], y=float[8], rows=2)
extern "C" __global__ __aicore__ void counter_mask_good_set_in_a_branch(GM_ADDR x, GM_ADDR y, int rows)
{
    using namespace good_set_in_a_branch;
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
