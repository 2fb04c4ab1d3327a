// A tensor that has an address on some paths only is used on the others as well.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5, mode=3)
extern "C" __global__ __aicore__ void one_mode(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> line;
    pipe.InitBuffer(line, 2, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    if (mode == 1) {
        xGm.SetGlobalBuffer((__gm__ float *)x);
    }
    yGm.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = line.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH); //~ ERROR uninitialized-read: `xGm` has no address here
        line.EnQue(a);
        a = line.DeQue<float>();
        DataCopy(yGm[row * WIDTH], a, WIDTH);
        line.FreeTensor(a);
    }
}

// The launch in sight takes the path that gives it one.
// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5, mode=1)
extern "C" __global__ __aicore__ void other_mode(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> line;
    pipe.InitBuffer(line, 2, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    if (mode < 2) {
        yGm.SetGlobalBuffer((__gm__ float *)y);
    }
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = line.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        line.EnQue(a);
        a = line.DeQue<float>();
        DataCopy(yGm[row * WIDTH], a, WIDTH);
        line.FreeTensor(a);
    }
}

struct Scaled {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> scales;
    GlobalTensor<float> xGm, wGm, yGm;
    bool hasScale;

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t mode)
    {
        hasScale = mode == 1;
        xGm.SetGlobalBuffer((__gm__ float *)x);
        yGm.SetGlobalBuffer((__gm__ float *)y);
        pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
        pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
        if (hasScale) {
            wGm.SetGlobalBuffer((__gm__ float *)w);
            pipe.InitBuffer(scales, WIDTH * sizeof(float));
        }
    }
    template <bool ALWAYS>
    __aicore__ inline void Row(uint32_t row)
    {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        if (ALWAYS || hasScale) {
            LocalTensor<float> s = scales.Get<float>();
            DataCopy(s, wGm, WIDTH);
            PipeBarrier<PIPE_ALL>();
            Mul(b, a, s, WIDTH);
            PipeBarrier<PIPE_ALL>();
        } else {
            Muls(b, a, 2.0f, WIDTH);
        }
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
};

// a2lint: launch(block_dim=2, x=float[320], w=float[64], y=float[320], rows=5, mode=1)
extern "C" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    Scaled op;
    op.Init(x, w, y, mode);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        op.Row<false>(row);
    }
}

// a2lint: launch(block_dim=2, x=float[320], w=float[64], y=float[320], rows=5, mode=1)
extern "C" __global__ __aicore__ void always_scaled(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    Scaled op;
    op.Init(x, w, y, mode);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        op.Row<true>(row);
    }
}
//~ VERDICT other_mode.scalars: tested
//~ VERDICT scaled.scalars: holds
//~ VERDICT always_scaled.scalars: tested
