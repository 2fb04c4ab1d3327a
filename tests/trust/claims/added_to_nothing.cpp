// An output that is only added to is as good as what it starts with, which the verdict has to say.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

template <bool ADDS>
__aicore__ inline void Twice(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Muls(b, a, 2.0f, WIDTH);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        if constexpr (ADDS) {
            SetAtomicAdd<float>();
        }
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        SetAtomicNone();
        out.FreeTensor(b);
    }
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void adds(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Twice<true>(x, y, rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void stores(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Twice<false>(x, y, rows);
}

// The build gives `y_ref` the memory of an input.
// a2lint: launch(block_dim=2, x=float[320], y_ref=float[320], rows=5)
extern "C" __global__ __aicore__ void updates(GM_ADDR x, GM_ADDR y_ref, uint32_t rows)
{
    Twice<true>(x, y_ref, rows);
}
//~ VERDICT adds.initialised: holds `y` starts with defined contents
//~ VERDICT stores.initialised: holds
//~ VERDICT updates.initialised: holds
