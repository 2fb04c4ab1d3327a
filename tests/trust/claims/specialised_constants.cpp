// A variable template that is specialised for some types has another value for these.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T> constexpr uint32_t kWidth = 128;
template <> constexpr uint32_t kWidth<half> = 256;
template <typename T> constexpr uint32_t kWidth<T *> = 64;

template <typename T, uint32_t LENGTH>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> line;
    pipe.InitBuffer(line, 2, LENGTH * sizeof(T));
    GlobalTensor<T> from, to;
    from.SetGlobalBuffer((__gm__ T *)x);
    to.SetGlobalBuffer((__gm__ T *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<T> a = line.AllocTensor<T>();
        DataCopy(a, from[row * kWidth<T>], kWidth<T>); //~ ERROR operand-overrun
        line.EnQue(a);
        a = line.DeQue<T>();
        DataCopy(to[row * kWidth<T>], a, kWidth<T>); //~ ERROR operand-overrun
        line.FreeTensor(a);
    }
}

// a2lint: launch(block_dim=2, x=half[1280], y=half[1280], rows=5)
extern "C" __global__ __aicore__ void of_halves(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Copy<half, 256>(x, y, rows);
}

// a2lint: launch(block_dim=2, x=float[640], y=float[640], rows=5)
extern "C" __global__ __aicore__ void of_floats(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    static_assert(kWidth<float *> == 64);
    Copy<float, 128>(x, y, rows);
}

// a2lint: launch(block_dim=2, x=half[1280], y=half[1280], rows=5)
extern "C" __global__ __aicore__ void too_short(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Copy<half, 128>(x, y, rows);
}
