// A loop that makes stores atomic in each row leaves them so, which the next kernel inherits.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

struct Adder {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> line;
    GlobalTensor<float> from, to;

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        from.SetGlobalBuffer((__gm__ float *)x);
        to.SetGlobalBuffer((__gm__ float *)y);
        pipe.InitBuffer(line, 2, WIDTH * sizeof(float));
    }
    __aicore__ inline LocalTensor<float> Load(uint32_t row)
    {
        LocalTensor<float> a = line.AllocTensor<float>();
        DataCopy(a, from[row * WIDTH], WIDTH);
        line.EnQue(a);
        return line.DeQue<float>();
    }
    __aicore__ inline void Store(LocalTensor<float> &a, uint32_t row)
    {
        DataCopy(to[row * WIDTH], a, WIDTH); //~ WARNING atomic-left-on
        line.FreeTensor(a);
    }
};

// a2lint: launch(block_dim=2, x=float[320], y_ref=float[320], rows=5)
extern "C" __global__ __aicore__ void left_on(GM_ADDR x, GM_ADDR y_ref, uint32_t rows)
{
    Adder it;
    it.Init(x, y_ref);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.Load(row);
        SetAtomicAdd<float>();
        it.Store(a, row);
    }
}

// a2lint: launch(block_dim=2, x=float[320], y_ref=float[320], rows=5)
extern "C" __global__ __aicore__ void taken_back_after(GM_ADDR x, GM_ADDR y_ref, uint32_t rows)
{
    Adder it;
    it.Init(x, y_ref);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.Load(row);
        SetAtomicAdd<float>();
        it.Store(a, row);
    }
    SetAtomicNone();
}

// a2lint: launch(block_dim=2, x=float[320], y_ref=float[320], rows=5)
extern "C" __global__ __aicore__ void taken_back_in_each_row(GM_ADDR x, GM_ADDR y_ref, uint32_t rows)
{
    Adder it;
    it.Init(x, y_ref);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.Load(row);
        SetAtomicAdd<float>();
        it.Store(a, row);
        SetAtomicNone();
    }
}

// What one mode sets it takes back.
// a2lint: launch(block_dim=2, x=float[320], y_ref=float[320], rows=5, mode=1)
extern "C" __global__ __aicore__ void in_one_mode(GM_ADDR x, GM_ADDR y_ref, uint32_t rows, uint32_t mode)
{
    Adder it;
    it.Init(x, y_ref);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.Load(row);
        if (mode == 1) {
            SetAtomicAdd<float>();
        }
        it.Store(a, row);
        if (mode == 1) {
            SetAtomicNone();
        }
    }
}
//~ PARTLY: whether a store is atomic differs
