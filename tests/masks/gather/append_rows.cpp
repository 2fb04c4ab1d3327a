// Rows of different lengths one behind the other: gathered aligned, appended by bytes.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void append(GlobalTensor<float> &out, LocalTensor<float> &x, LocalTensor<float> &y,
                              LocalTensor<uint32_t> &bits, uint32_t rows) {
    uint64_t total = 0;
    for (uint32_t row = 0; row < rows; ++row) {
        uint64_t kept = 0;
        GatherMask(y, x[row * 64], bits[row * 8], true, 64, {1, 1, 8, 0}, kept);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(out[total], y, {1, static_cast<uint32_t>(kept * sizeof(float)), 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        total += kept;
    }
}

// a2lint: launch(block_dim=1, rows=2, y=float[128])
extern "C" __global__ __aicore__ void append_rows(GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 256);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> bitsBuf;
    pipe.InitBuffer(bitsBuf, 64);
    LocalTensor<uint32_t> bits = bitsBuf.Get<uint32_t>();
    Duplicate(x, 1.0f, 128);
    Duplicate(bits, 0xfu, 16);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    append(out, x, dst, bits, rows);
}
//~ PARTLY: a number could not be evaluated
