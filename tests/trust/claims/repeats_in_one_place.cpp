// Repeats that all write one place and read it again are pipelined: only some sums and bounds may do that.
#include "kernel_operator.h"
using namespace AscendC;

template <int MODE>
__aicore__ inline void Fold(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rows, total;
    pipe.InitBuffer(rows, 512 * sizeof(float));
    pipe.InitBuffer(total, 64 * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 512);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64);
    LocalTensor<float> a = rows.Get<float>();
    LocalTensor<float> t = total.Get<float>();
    DataCopy(a, xGm, 512);
    PipeBarrier<PIPE_ALL>();
    Duplicate(t, 1.0f, 64);
    PipeBarrier<PIPE_V>();
    if constexpr (MODE == 0) {
        Add(t, a, t, 64, 8, {1, 1, 1, 0, 8, 0});
    } else if constexpr (MODE == 1) {
        Div(t, a, t, 64, 8, {1, 1, 1, 0, 8, 0}); //~ WARNING partial-overlap: the repeats of Div() write to
    } else if constexpr (MODE == 2) {
        Add(t, t, a, 64, 8, {1, 1, 1, 0, 0, 8}); //~ WARNING partial-overlap: the repeats of Add() write to
    } else if constexpr (MODE == 3) {
        Axpy(t, a, 2.0f, 64, 8, {1, 1, 0, 8}); //~ WARNING partial-overlap: the repeats of Axpy() write to
    } else {
        Max(t, a, t, 64, 8, {1, 1, 1, 0, 8, 0});
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, t, 64);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR y)
{
    Fold<0>(x, y);
}

extern "C" __global__ __aicore__ void quotient(GM_ADDR x, GM_ADDR y)
{
    Fold<1>(x, y);
}

extern "C" __global__ __aicore__ void first_source(GM_ADDR x, GM_ADDR y)
{
    Fold<2>(x, y);
}

extern "C" __global__ __aicore__ void scaled_sum(GM_ADDR x, GM_ADDR y)
{
    Fold<3>(x, y);
}

extern "C" __global__ __aicore__ void maximum(GM_ADDR x, GM_ADDR y)
{
    Fold<4>(x, y);
}
