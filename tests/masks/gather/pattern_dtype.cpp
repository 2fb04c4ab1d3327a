// GatherMask: the type of a pattern.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_bytes_of_a_compare {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint8_t> &bits) {
    uint64_t kept = 0;
    CompareScalar(bits, src, 0.0f, CMPMODE::GT, 64);
    PipeBarrier<PIPE_V>();
    GatherMask(dst, src, bits, true, 64, {1, 1, 8, 0}, kept);
    //~^ ERROR op-dtype: GatherMask() takes (half, half, uint16), (bfloat16, bfloat16, uint16),
}
}  // namespace bad_bytes_of_a_compare

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_dtype_bad_bytes_of_a_compare(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_bytes_of_a_compare;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> bitsBuf;
    pipe.InitBuffer(bitsBuf, 8192);
    LocalTensor<uint8_t> bits = bitsBuf.Get<uint8_t>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, bits);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace bad_wide_words {
__aicore__ inline void gather_columns(LocalTensor<half> &dst, LocalTensor<half> &src, LocalTensor<uint32_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);
    //~^ ERROR op-dtype: GatherMask() takes (half, half, uint16), (bfloat16, bfloat16, uint16),
}
}  // namespace bad_wide_words

// a2lint: launch(block_dim=1, x=float[8], y=half[16])
extern "C" __global__ __aicore__ void pattern_dtype_bad_wide_words(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_wide_words;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<half> dst = dstBuf.Get<half>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<half> src = srcBuf.Get<half>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
    Duplicate(dst, static_cast<half>(1.0f), 4096);
    Duplicate(src, static_cast<half>(1.0f), 4096);
    Duplicate(pattern, 0xffffffffu, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, pattern);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<half> gy;
    gy.SetGlobalBuffer((__gm__ half*)y);
    DataCopy(gy, dst, 16);
}

namespace good_halves {
__aicore__ inline void gather_columns(LocalTensor<half> &dst, LocalTensor<half> &src, LocalTensor<uint16_t> &pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, true, 64, {1, 1, 8, 0}, kept);
}
}  // namespace good_halves

// a2lint: launch(block_dim=1, x=float[8], y=half[16])
extern "C" __global__ __aicore__ void pattern_dtype_good_halves(GM_ADDR x, GM_ADDR y)
{
    using namespace good_halves;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<half> dst = dstBuf.Get<half>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<half> src = srcBuf.Get<half>();
    TBuf<TPosition::VECCALC> patternBuf;
    pipe.InitBuffer(patternBuf, 8192);
    LocalTensor<uint16_t> pattern = patternBuf.Get<uint16_t>();
    Duplicate(dst, static_cast<half>(1.0f), 4096);
    Duplicate(src, static_cast<half>(1.0f), 4096);
    Duplicate(pattern, static_cast<uint16_t>(0xffff), 4096);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, pattern);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<half> gy;
    gy.SetGlobalBuffer((__gm__ half*)y);
    DataCopy(gy, dst, 16);
}

namespace good_reinterpreted {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<uint8_t> &bits) {
    uint64_t kept = 0;
    CompareScalar(bits, src, 0.0f, CMPMODE::GT, 64);
    PipeBarrier<PIPE_V>();
    GatherMask(dst, src, bits.ReinterpretCast<uint32_t>(), true, 64, {1, 1, 8, 0}, kept);
}
}  // namespace good_reinterpreted

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void pattern_dtype_good_reinterpreted(GM_ADDR x, GM_ADDR y)
{
    using namespace good_reinterpreted;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> bitsBuf;
    pipe.InitBuffer(bitsBuf, 8192);
    LocalTensor<uint8_t> bits = bitsBuf.Get<uint8_t>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, bits);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
