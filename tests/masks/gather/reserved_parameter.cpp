// GatherMask: a template parameter that is reserved.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_fixed {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask<float, GatherMaskMode::VERSION_V1>(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace bad_fixed

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void reserved_parameter_bad_fixed(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_fixed;
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

namespace bad_qualified {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    AscendC::GatherMask<float, AscendC::GatherMaskMode::VERSION_V2>(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace bad_qualified

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void reserved_parameter_bad_qualified(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_qualified;
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

namespace good_default {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask<float, defaultGatherMaskMode>(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_default

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void reserved_parameter_good_default(GM_ADDR x, GM_ADDR y)
{
    using namespace good_default;
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

namespace good_types {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src) {
    uint64_t kept = 0;
    GatherMask<float>(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_types

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void reserved_parameter_good_types(GM_ADDR x, GM_ADDR y)
{
    using namespace good_types;
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
