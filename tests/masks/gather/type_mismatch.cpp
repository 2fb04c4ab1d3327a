// GatherMask: types of source and destination.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_conversion {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<half> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace bad_conversion

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void type_mismatch_bad_conversion(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_conversion;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<half> src = srcBuf.Get<half>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, static_cast<half>(1.0f), 4096);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace bad_signs {
__aicore__ inline void gather_columns(LocalTensor<int32_t> &dst, LocalTensor<uint32_t> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace bad_signs

// a2lint: launch(block_dim=1, x=float[8], y=int32[8])
extern "C" __global__ __aicore__ void type_mismatch_bad_signs(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_signs;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<int32_t> dst = dstBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<uint32_t> src = srcBuf.Get<uint32_t>();
    Duplicate(dst, static_cast<int32_t>(1), 2048);
    Duplicate(src, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<int32_t> gy;
    gy.SetGlobalBuffer((__gm__ int32_t*)y);
    DataCopy(gy, dst, 8);
}

namespace good_reinterpreted {
__aicore__ inline void gather_columns(LocalTensor<int32_t> &dst, LocalTensor<uint32_t> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src.ReinterpretCast<int32_t>(), 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_reinterpreted

// a2lint: launch(block_dim=1, x=float[8], y=int32[8])
extern "C" __global__ __aicore__ void type_mismatch_good_reinterpreted(GM_ADDR x, GM_ADDR y)
{
    using namespace good_reinterpreted;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<int32_t> dst = dstBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<uint32_t> src = srcBuf.Get<uint32_t>();
    Duplicate(dst, static_cast<int32_t>(1), 2048);
    Duplicate(src, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<int32_t> gy;
    gy.SetGlobalBuffer((__gm__ int32_t*)y);
    DataCopy(gy, dst, 8);
}

namespace good_template {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_template

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void type_mismatch_good_template(GM_ADDR x, GM_ADDR y)
{
    using namespace good_template;
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
