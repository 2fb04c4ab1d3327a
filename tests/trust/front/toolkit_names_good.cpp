// Names of the toolkit's headers that kernels use, and a table that is longer than a loop is usually unrolled.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LENGTH = 320;
struct Table {
    int32_t values[LENGTH];
    constexpr Table() : values()
    {
        for (uint32_t at = 0; at < LENGTH; ++at) {
            values[at] = at * 4 % 97;
        }
    }
};
constexpr Table TABLE;

// a2lint: launch(block_dim=1, y=int32[320])
extern "C" __global__ __aicore__ void a_long_table(GM_ADDR y)  //~ VERDICT a_long_table.bounds: proved-if y is
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<int32_t> yGm;
    yGm.SetGlobalBuffer((__gm__ int32_t *)y, LENGTH);
    pipe.InitBuffer(buf, LENGTH * sizeof(int32_t));
    LocalTensor<int32_t> all = buf.Get<int32_t>();
    for (uint32_t at = 0; at < LENGTH; ++at) {
        all.SetValue(at, TABLE.values[at]);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, LENGTH);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[64], s=-0.5, n=-64)
extern "C" __global__ __aicore__ void constants(GM_ADDR x, GM_ADDR y, float s, int32_t n)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, ONE_REPEAT_FLOAT_SIZE);
    yGm.SetGlobalBuffer((__gm__ float *)y, ONE_REPEAT_FLOAT_SIZE);
    pipe.InitBuffer(buf, ONE_REPEAT_HALF_SIZE * TWO);
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, abs(n));
    PipeBarrier<PIPE_ALL>();
    Adds(all, all, abs(s) * PI, FLOAT_REPEAT_SIZE);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, ONE_BLK_FLOAT_NUM * 8);
}

template <int N, class T = uint32_t>
struct Place {
    T at[N];
    __aicore__ inline constexpr explicit Place(T all = T(0))
    {
        for (int i = 0; i < N; ++i) {
            at[i] = all;
        }
    }
    __aicore__ inline constexpr Place(T const (&all)[N])
    {
        for (int i = 0; i < N; ++i) {
            at[i] = all[i];
        }
    }
};
template <class T>
__aicore__ inline constexpr Place<2, T> Pair(T a, T b)
{
    T both[2] = {a, b};
    return Place<2, T>(both);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[64], n=7)
extern "C" __global__ __aicore__ void from_an_array(GM_ADDR x, GM_ADDR y, uint32_t n)  //~ VERDICT from_an_array.bounds: proved-if y is
{
    Place<2> place = Pair<uint32_t>(n, 64);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, place.at[1]);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, place.at[1]);
}

constexpr int32_t FOUR = 64;

// A project's own constants count, whatever the toolkit calls so.
// a2lint: launch(block_dim=1, x=float[112], y=float[112])
extern "C" __global__ __aicore__ void own_constants(GM_ADDR x, GM_ADDR y)  //~ VERDICT own_constants.bounds: proved-if y is
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 112);
    yGm.SetGlobalBuffer((__gm__ float *)y, 112);
    pipe.InitBuffer(buf, 112 * sizeof(float));
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, FOUR + 48);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, FOUR);
    DataCopy(yGm[FOUR], all, 48);
}
