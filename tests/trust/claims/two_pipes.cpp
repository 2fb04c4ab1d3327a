// Two pipes that are alive at once hand out the same memory and the same event ids.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

struct Copier {
    TPipe *pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> line;
    GlobalTensor<float> from, to;

    __aicore__ inline void Init(TPipe *given, GM_ADDR x, GM_ADDR y)
    {
        pipe = given;
        from.SetGlobalBuffer((__gm__ float *)x);
        to.SetGlobalBuffer((__gm__ float *)y);
        pipe->InitBuffer(line, 2, WIDTH * sizeof(float)); //~ WARNING ub-overflow: while another `TPipe` is alive
    }
    __aicore__ inline void Process(uint32_t rows)
    {
        for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
            LocalTensor<float> a = line.AllocTensor<float>();
            DataCopy(a, from[row * WIDTH], WIDTH);
            line.EnQue(a);
            a = line.DeQue<float>();
            DataCopy(to[row * WIDTH], a, WIDTH);
            line.FreeTensor(a);
        }
    }
};

struct Owner {
    TPipe own;
    Copier copier;

    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, uint32_t rows)
    {
        copier.Init(&own, x, y);
        copier.Process(rows);
    }
};

// a2lint: launch(block_dim=2, x=float[320], y=float[320], z=float[320], rows=5)
extern "C" __global__ __aicore__ void both_alive(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows)
{
    TPipe first;
    TPipe second;
    Copier one, two;
    one.Init(&first, x, y);
    two.Init(&second, x, z);
    one.Process(rows);
    two.Process(rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], z=float[320], rows=5)
extern "C" __global__ __aicore__ void members(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows)
{
    Owner one, two;
    one.Run(x, y, rows);
    two.Run(x, z, rows);
}

// The first one ends before the second one begins.
// a2lint: launch(block_dim=2, x=float[320], y=float[320], z=float[320], rows=5)
extern "C" __global__ __aicore__ void one_after_the_other(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows)
{
    {
        Owner one;
        one.Run(x, y, rows);
    }
    {
        Owner two;
        two.Run(y, z, rows);
    }
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], z=float[320], rows=5)
extern "C" __global__ __aicore__ void ended_by_hand(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows)
{
    TPipe first;
    Copier one, two;
    one.Init(&first, x, y);
    one.Process(rows);
    first.Destroy();
    TPipe second;
    two.Init(&second, x, z);
    two.Process(rows);
}

__aicore__ inline void CopyOnce(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Owner it;
    it.Run(x, y, rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], z=float[320], rows=5)
extern "C" __global__ __aicore__ void in_a_function(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows)
{
    CopyOnce(x, y, rows);
    CopyOnce(x, z, rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], z=float[320], rows=5)
extern "C" __global__ __aicore__ void one_for_both(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t rows)
{
    TPipe pipe;
    Copier one, two;
    one.Init(&pipe, x, y);
    two.Init(&pipe, x, z);
    one.Process(rows);
    two.Process(rows);
}
//~ VERDICT one_for_both.capacity: holds
