// GatherMask: repeat counts of eight bits.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_cast {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    constexpr uint32_t count = 16448;
    uint64_t kept = 0;
    GatherMaskParams params;
    params.repeatTimes = static_cast<uint8_t>(count / 64);
    GatherMask(dst, src, 1, false, 0, params, kept);
    //~^ ERROR scalar-overflow: is 257, wraps to 1
}
}  // namespace bad_cast

// a2lint: launch(block_dim=1, x=float[8], y=float[8224])
extern "C" __global__ __aicore__ void narrowing_bad_cast(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_cast;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 32896);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 65792);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(src, 1.0f, 16448);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8224);
}

namespace bad_variable {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    constexpr uint32_t count = 16448;
    uint64_t kept = 0;
    uint8_t repeats = (count + 63) / 64;
    GatherMask(dst, src, 1, false, 0, {1, repeats, 8, 0}, kept);
    //~^ ERROR scalar-overflow: is 257, wraps to 1
}
}  // namespace bad_variable

// a2lint: launch(block_dim=1, x=float[8], y=float[8224])
extern "C" __global__ __aicore__ void narrowing_bad_variable(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_variable;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 32896);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 65792);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(src, 1.0f, 16448);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8224);
}

namespace good_bounded {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, uint32_t count) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, static_cast<uint8_t>(count % 64), 8, 0}, kept);
    GatherMask(dst, src, 1, false, 0, {1, static_cast<uint8_t>(4), 8, 0}, kept);
}
}  // namespace good_bounded

// a2lint: launch(block_dim=1, x=float[8], y=float[8], count=256)
extern "C" __global__ __aicore__ void narrowing_good_bounded(GM_ADDR x, GM_ADDR y, uint32_t count)
{
    using namespace good_bounded;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, count);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_bounded_elsewhere {
// Who calls this knows how many there are.
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, uint32_t count) {
    uint64_t kept = 0;
    uint8_t repeats = (count + 63) / 64;
    GatherMask(dst, src, 1, false, 0, {1, repeats, 8, 0}, kept);
    GatherMask(dst, src, 2, false, 0, {1, static_cast<uint8_t>(count / 64), 8, 0}, kept);
}
}  // namespace good_bounded_elsewhere

// a2lint: launch(block_dim=1, x=float[8], y=float[8], count=256)
extern "C" __global__ __aicore__ void narrowing_good_bounded_elsewhere(GM_ADDR x, GM_ADDR y, uint32_t count)
{
    using namespace good_bounded_elsewhere;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, count);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_sixteen_bits {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, uint32_t count) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, static_cast<uint16_t>((count + 63) / 64), 8, 0}, kept);
}
}  // namespace good_sixteen_bits

// a2lint: launch(block_dim=1, x=float[8], y=float[8], count=256)
extern "C" __global__ __aicore__ void narrowing_good_sixteen_bits(GM_ADDR x, GM_ADDR y, uint32_t count)
{
    using namespace good_sixteen_bits;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, count);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
