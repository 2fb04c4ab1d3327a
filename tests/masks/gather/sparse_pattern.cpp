// Repeats half a repeat apart, on purpose: the pattern takes the first element of each row alone.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void FirstPerRow(LocalTensor<float> &dst, LocalTensor<float> &rows, LocalTensor<uint32_t> &pattern)
{
    Duplicate<uint32_t>(pattern, 0u, 8);
    PipeBarrier<PIPE_V>();
    pattern.SetValue(0, 1u);
    GatherMaskParams params(1, 16, 4, 0);
    uint64_t kept = 0;
    GatherMask<float, uint32_t>(dst, rows, pattern, false, 0, params, kept);
}

// a2lint: launch(block_dim=1, x=float[544], y=float[16])
extern "C" __global__ __aicore__ void first_per_row(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> bits;
    pipe.InitBuffer(in, 1, 544 * sizeof(float));
    pipe.InitBuffer(out, 1, 16 * sizeof(float));
    pipe.InitBuffer(bits, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gy.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> rows = in.AllocTensor<float>();
    DataCopy(rows, gx, 544);
    in.EnQue(rows);
    rows = in.DeQue<float>();
    LocalTensor<float> firsts = out.AllocTensor<float>();
    LocalTensor<uint32_t> pattern = bits.Get<uint32_t>();
    FirstPerRow(firsts, rows, pattern);
    in.FreeTensor(rows);
    out.EnQue(firsts);
    firsts = out.DeQue<float>();
    DataCopy(gy, firsts, 16);
    out.FreeTensor(firsts);
}
