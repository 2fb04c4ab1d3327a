// GatherMask: what follows a GatherMask.
#include "kernel_operator.h"

using namespace AscendC;

namespace ordered_add {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    GatherMask(sum, src, 2, false, 0, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Adds(sum, sum, 1.0f, 32);
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    Add(sum, dst, sum, 32);
}
}  // namespace ordered_add

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void missing_barrier_ordered_add(GM_ADDR x, GM_ADDR y)
{
    using namespace ordered_add;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}

namespace ordered_get_value {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    GatherMask(sum, src, 2, false, 0, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Adds(sum, sum, 1.0f, 32);
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    float first = dst.GetValue(0);
}
}  // namespace ordered_get_value

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void missing_barrier_ordered_get_value(GM_ADDR x, GM_ADDR y)
{
    using namespace ordered_get_value;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}

namespace good_barrier {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Add(sum, dst, sum, 32);
}
}  // namespace good_barrier

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void missing_barrier_good_barrier(GM_ADDR x, GM_ADDR y)
{
    using namespace good_barrier;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}

namespace good_no_gather_is_ordered {
// Barriers stand between other instructions; what follows a GatherMask is left to the compiler.
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    Adds(src, src, 1.0f, 64);
    PipeBarrier<PIPE_V>();
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    Add(sum, dst, sum, 32);
    PipeBarrier<PIPE_V>();
    Muls(sum, sum, 2.0f, 32);
}
}  // namespace good_no_gather_is_ordered

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void missing_barrier_good_no_gather_is_ordered(GM_ADDR x, GM_ADDR y)
{
    using namespace good_no_gather_is_ordered;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}

namespace good_other_branch {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum, bool even) {
    uint64_t kept = 0;
    if (even) {
        GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    } else {
        Adds(sum, dst, 1.0f, 32);
    }
}
}  // namespace good_other_branch

// a2lint: launch(block_dim=1, x=float[8], y=float[8], even=1)
extern "C" __global__ __aicore__ void missing_barrier_good_other_branch(GM_ADDR x, GM_ADDR y, bool even)
{
    using namespace good_other_branch;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum, even);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}

namespace good_other_part {
__aicore__ inline void gather_columns(LocalTensor<float> &all, LocalTensor<float> &src, LocalTensor<float> &sum, int32_t half) {
    uint64_t kept = 0;
    PipeBarrier<PIPE_V>();
    GatherMask(all[half], src, 1, false, 0, {1, 1, 8, 0}, kept);
    Add(sum, all, sum, 32);
}
}  // namespace good_other_part

// a2lint: launch(block_dim=1, x=float[8], y=float[8], half=64)
extern "C" __global__ __aicore__ void missing_barrier_good_other_part(GM_ADDR x, GM_ADDR y, int32_t half)
{
    using namespace good_other_part;
    TPipe pipe;
    TBuf<TPosition::VECCALC> allBuf;
    pipe.InitBuffer(allBuf, 8192);
    LocalTensor<float> all = allBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(all, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(all, src, sum, half);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}

namespace good_other_tensor {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    Adds(sum, src, 1.0f, 32);
    SyncVector();
    Add(sum, dst, sum, 32);
}
}  // namespace good_other_tensor

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void missing_barrier_good_other_tensor(GM_ADDR x, GM_ADDR y)
{
    using namespace good_other_tensor;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}

namespace good_the_compiler_orders {
// No barrier of the file's own: the compiler places them.
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    Add(sum, dst, sum, 32);
}
}  // namespace good_the_compiler_orders

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void missing_barrier_good_the_compiler_orders(GM_ADDR x, GM_ADDR y)
{
    using namespace good_the_compiler_orders;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}
//~ PARTLY: `SyncVector` is not known
