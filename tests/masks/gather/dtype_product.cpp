// GatherMask: element types.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_bytes_of_an_open_file {
__aicore__ inline void gather_columns(LocalTensor<int8_t> &dst, LocalTensor<int8_t> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    //~^ ERROR op-dtype: GatherMask() takes (half, half, uint16), (bfloat16, bfloat16, uint16),
}
}  // namespace bad_bytes_of_an_open_file

// a2lint: launch(block_dim=1, x=float[8], y=int8[32])
extern "C" __global__ __aicore__ void dtype_product_bad_bytes_of_an_open_file(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_bytes_of_an_open_file;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<int8_t> dst = dstBuf.Get<int8_t>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<int8_t> src = srcBuf.Get<int8_t>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<int8_t> gy;
    gy.SetGlobalBuffer((__gm__ int8_t*)y);
    DataCopy(gy, dst, 32);
}

namespace good_bfloat {
__aicore__ inline void gather_columns(LocalTensor<bfloat16_t> &dst, LocalTensor<bfloat16_t> &src) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_bfloat

// a2lint: launch(block_dim=1, x=float[8], y=bfloat16[16])
extern "C" __global__ __aicore__ void dtype_product_good_bfloat(GM_ADDR x, GM_ADDR y)
{
    using namespace good_bfloat;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<bfloat16_t> dst = dstBuf.Get<bfloat16_t>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<bfloat16_t> src = srcBuf.Get<bfloat16_t>();
    Duplicate(dst.ReinterpretCast<half>(), static_cast<half>(1.0f), 4096);
    Duplicate(src.ReinterpretCast<half>(), static_cast<half>(1.0f), 4096);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<bfloat16_t> gy;
    gy.SetGlobalBuffer((__gm__ bfloat16_t*)y);
    DataCopy(gy, dst, 16);
}
