// Sums over groups of 8 neighbours and over rows of 64: one instruction for many groups, with tails of repeats.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROW = 64;
constexpr uint32_t GROUPS = ROW / 8;

// a2lint: launch(block_dim=2, x=float[24, 64], groups=float[24, 8], rows=float[24], count=12, rounded=16)
extern "C" __global__ __aicore__ void group_sum(GM_ADDR x, GM_ADDR groups, GM_ADDR rows, uint32_t count, uint32_t rounded)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> groupOut, rowOut;
    pipe.InitBuffer(in, 1, count * ROW * sizeof(float));
    pipe.InitBuffer(groupOut, 1, count * GROUPS * sizeof(float));
    pipe.InitBuffer(rowOut, 1, rounded * sizeof(float));
    GlobalTensor<float> gx, gg, gr;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * count * ROW, count * ROW);
    gg.SetGlobalBuffer((__gm__ float*)groups + GetBlockIdx() * count * GROUPS, count * GROUPS);
    gr.SetGlobalBuffer((__gm__ float*)rows + GetBlockIdx() * count, count);

    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, gx, count * ROW);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> g = groupOut.AllocTensor<float>();
    LocalTensor<float> r = rowOut.AllocTensor<float>();
    BlockReduceSum<float>(g, a, count, ROW, 1, 1, 8);
    WholeReduceSum<float>(r, a, ROW, count, 1, 1, 8);
    in.FreeTensor(a);
    groupOut.EnQue(g);
    rowOut.EnQue(r);
    g = groupOut.DeQue<float>();
    r = rowOut.DeQue<float>();
    DataCopy(gg, g, count * GROUPS);
    DataCopyPad(gr, r, {1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0});
    groupOut.FreeTensor(g);
    rowOut.FreeTensor(r);
}
