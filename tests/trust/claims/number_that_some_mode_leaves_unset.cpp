// A number that is set in some modes only has no value in the others.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

struct Scale {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<float> xGm, yGm;
    float factor;

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        xGm.SetGlobalBuffer((__gm__ float *)x);
        yGm.SetGlobalBuffer((__gm__ float *)y);
        pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
        pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t rows)
    {
        for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
            LocalTensor<float> a = in.AllocTensor<float>();
            DataCopy(a, xGm[row * WIDTH], WIDTH);
            in.EnQue(a);
            a = in.DeQue<float>();
            LocalTensor<float> b = out.AllocTensor<float>();
            Muls(b, a, factor, WIDTH);
            in.FreeTensor(a);
            out.EnQue(b);
            b = out.DeQue<float>();
            DataCopy(yGm[row * WIDTH], b, WIDTH);
            out.FreeTensor(b);
        }
    }
};

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5, mode=0)
extern "C" __global__ __aicore__ void two_modes(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    Scale it;
    it.Init(x, y);
    if (mode == 0) {
        it.factor = 2.0f;
    }
    if (mode == 1) {
        it.factor = 3.0f;
    }
    it.Process(rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5, mode=1)
extern "C" __global__ __aicore__ void no_default(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    Scale it;
    it.Init(x, y);
    switch (mode) {
        case 0:
            it.factor = 2.0f;
            break;
        case 1:
            it.factor = 3.0f;
            break;
        default:
            break;
    }
    it.Process(rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5, mode=1)
extern "C" __global__ __aicore__ void all_modes(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    Scale it;
    it.Init(x, y);
    if (mode == 0) {
        it.factor = 2.0f;
    } else if (mode == 1) {
        it.factor = 3.0f;
    } else {
        it.factor = 4.0f;
    }
    it.Process(rows);
}

// Where it is read, it has been set.
// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5, mode=0)
extern "C" __global__ __aicore__ void read_in_its_mode(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    Scale it;
    it.Init(x, y);
    if (mode == 0) {
        it.factor = 2.0f;
    }
    if (mode == 0) {
        it.Process(rows);
    }
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5, mode=1)
extern "C" __global__ __aicore__ void starts_with_one(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t mode)
{
    Scale it;
    it.Init(x, y);
    it.factor = 1.0f;
    if (mode == 0) {
        it.factor = 2.0f;
    }
    it.Process(rows);
}
//~ VERDICT two_modes.scalars: tested
//~ VERDICT no_default.scalars: tested
//~ VERDICT all_modes.scalars: holds
//~ VERDICT read_in_its_mode.scalars: holds
//~ VERDICT starts_with_one.scalars: holds
