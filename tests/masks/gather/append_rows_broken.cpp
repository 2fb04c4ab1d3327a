// The same into UB at the running count: unaligned from the second row on.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void append(LocalTensor<float> &y, LocalTensor<float> &x, LocalTensor<uint32_t> &bits, uint32_t rows) {
    uint32_t total = 0;
    uint64_t kept = 0;
    for (uint32_t row = 0; row < rows; ++row) {
        GatherMask(y[total], x[row * 64], bits[row * 8], true, 64, {1, 1, 8, 0}, kept);
        total += static_cast<uint32_t>(kept);
    }
    GatherMaskParams params;
    GatherMask(y, x, 3, false, 0, params, kept);  //~ WARNING no-effect: GatherMask() with repeat 0 does nothing
}

// a2lint: launch(block_dim=1, rows=2, y=float[8])
extern "C" __global__ __aicore__ void append_rows_broken(GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 512);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> bitsBuf;
    pipe.InitBuffer(bitsBuf, 64);
    LocalTensor<uint32_t> bits = bitsBuf.Get<uint32_t>();
    Duplicate(x, 1.0f, 128);
    Duplicate(dst, 0.0f, 128);
    Duplicate(bits, 0xfu, 16);
    PipeBarrier<PIPE_ALL>();
    append(dst, x, bits, rows);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
//~ PARTLY: a number could not be evaluated
