// SetAtomicAdd<T> decides as what the store adds: with another type than the tensor's, it adds other numbers.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

template <typename T, typename A>
__aicore__ inline void AddRows(GM_ADDR x, GM_ADDR sum, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(T));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(T));
    GlobalTensor<T> xGm, sumGm;
    xGm.SetGlobalBuffer((__gm__ T *)x);
    sumGm.SetGlobalBuffer((__gm__ T *)sum);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<T> a = in.template AllocTensor<T>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.template DeQue<T>();
        LocalTensor<T> b = out.template AllocTensor<T>();
        Adds(b, a, static_cast<T>(0), WIDTH);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.template DeQue<T>();
        SetAtomicAdd<A>();
        DataCopy(sumGm, b, WIDTH);
        //~^ WARNING move-dtype: this store combines elements of type float with those in memory as if they were half
        SetAtomicNone();
        out.FreeTensor(b);
    }
}

// a2lint: launch(block_dim=2, x=float[320], sum_ref=float[64], rows=5)
extern "C" __global__ __aicore__ void as_halves(GM_ADDR x, GM_ADDR sum_ref, uint32_t rows)
{
    AddRows<float, half>(x, sum_ref, rows);
}

// a2lint: launch(block_dim=2, x=float[320], sum_ref=float[64], rows=5)
extern "C" __global__ __aicore__ void as_they_are(GM_ADDR x, GM_ADDR sum_ref, uint32_t rows)
{
    AddRows<float, float>(x, sum_ref, rows);
}

// a2lint: launch(block_dim=2, x=int[320], sum_ref=int[64], rows=5)
extern "C" __global__ __aicore__ void integers(GM_ADDR x, GM_ADDR sum_ref, uint32_t rows)
{
    AddRows<int32_t, int32_t>(x, sum_ref, rows);
}
