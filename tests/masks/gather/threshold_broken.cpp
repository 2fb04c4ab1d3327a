// Bits taken as bytes, no barrier before the sum, all elements copied although fewer are kept.
// a2lint: auto-sync off
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void keep_large(GlobalTensor<float> &out, LocalTensor<float> &x, LocalTensor<float> &y,
                                  LocalTensor<float> &sum, LocalTensor<uint8_t> &bits) {
    CompareScalar(bits, x, 0.5f, CMPMODE::GT, 1024);
    PipeBarrier<PIPE_V>();
    uint64_t kept = 0;
    GatherMask(y, x, bits, true, 1024, {1, 1, 8, 0}, kept);
    //~^ ERROR op-dtype: GatherMask() takes (half, half, uint16), (bfloat16, bfloat16, uint16),
    Add(sum, y, sum, 1024);
    DataCopy(out, y, 1024);
}

// a2lint: launch(block_dim=1, y=float[1024])
extern "C" __global__ __aicore__ void threshold_broken(GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 4096);
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 4096);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 4096);  //~ WARNING unused-buffer: `sumBuf` [1024] is written and never read: 4096 bytes
    LocalTensor<float> sum = sumBuf.Get<float>();
    TBuf<TPosition::VECCALC> bitsBuf;
    pipe.InitBuffer(bitsBuf, 128);
    LocalTensor<uint8_t> bits = bitsBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 1024);
    Duplicate(sum, 0.0f, 1024);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    keep_large(out, x, dst, sum, bits);
}
