// A number that the path of a launch has not set is a mistake that the launch shows.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

// The former cores set one length, the others another one, and each computes with both.
// a2lint: launch(block_dim=2, x=float[128], y=float[128], former=1)
extern "C" __global__ __aicore__ void both_lengths(GM_ADDR x, GM_ADDR y, uint32_t former)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    uint32_t longer, shorter;
    if (GetBlockIdx() < former) {
        longer = WIDTH;
    } else {
        shorter = WIDTH;
    }
    uint32_t start = GetBlockIdx() < former ? GetBlockIdx() * longer : former * longer;
    xGm.SetGlobalBuffer((__gm__ float *)x + start);
    yGm.SetGlobalBuffer((__gm__ float *)y + start);
    LocalTensor<float> a = buf.Get<float>();
    DataCopy(a, xGm, WIDTH); //~ ERROR uninitialized-read: `longer` is used before it has a value
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, WIDTH);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128], mode=4)
extern "C" __global__ __aicore__ void no_such_mode(GM_ADDR x, GM_ADDR y, uint32_t mode)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * WIDTH);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * WIDTH);
    float factor;
    if (mode == 0) {
        factor = 1.0f;
    } else if (mode == 1) {
        factor = 2.0f;
    }
    LocalTensor<float> a = buf.Get<float>();
    DataCopy(a, xGm, WIDTH);
    PipeBarrier<PIPE_ALL>();
    Muls(a, a, factor, WIDTH); //~ ERROR uninitialized-read: `factor` is used before it has a value
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, WIDTH);
    PipeBarrier<PIPE_ALL>();
}

// A launch whose path sets it shows nothing.
// a2lint: launch(block_dim=2, x=float[128], y=float[128], mode=1)
extern "C" __global__ __aicore__ void its_own_mode(GM_ADDR x, GM_ADDR y, uint32_t mode)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * WIDTH);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * WIDTH);
    float factor;
    if (mode != 1) {
        factor = 1.0f;
    }
    LocalTensor<float> a = buf.Get<float>();
    DataCopy(a, xGm, WIDTH);
    PipeBarrier<PIPE_ALL>();
    if (mode == 1) {
        Adds(a, a, 1.0f, WIDTH);
    } else {
        Muls(a, a, factor, WIDTH);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, WIDTH);
    PipeBarrier<PIPE_ALL>();
}

// The right side of a conjunction is not evaluated where the left one decides.
// a2lint: launch(block_dim=2, x=float[128], y=float[128], mode=0, k=5)
extern "C" __global__ __aicore__ void behind_a_conjunction(GM_ADDR x, GM_ADDR y, uint32_t mode, uint32_t k)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * WIDTH);
    yGm.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * WIDTH);
    uint32_t n, m;
    if (mode == 1) {
        n = k;
        m = k + 1;
    }
    LocalTensor<float> a = buf.Get<float>();
    DataCopy(a, xGm, WIDTH);
    PipeBarrier<PIPE_ALL>();
    if (mode == 1 && n > 3) {
        Adds(a, a, 1.0f, WIDTH);
    }
    if (mode != 1 || m > 3) {
        Adds(a, a, 2.0f, WIDTH);
    } else if (n == 2) {
        Adds(a, a, 3.0f, WIDTH);
    }
    bool isLong = mode == 1 && m > 4;
    if (isLong) {
        Muls(a, a, 2.0f, WIDTH);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, a, WIDTH);
    PipeBarrier<PIPE_ALL>();
}
//~ VERDICT its_own_mode.scalars: holds
//~ VERDICT behind_a_conjunction.scalars: holds
