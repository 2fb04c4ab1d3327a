// An output that is cleared in part and then added to is as good as what the rest starts with.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

template <uint32_t CLEARED>
__aicore__ inline void Add(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> line;
    TBuf<TPosition::VECCALC> zeros;
    pipe.InitBuffer(line, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(zeros, WIDTH * sizeof(float));
    LocalTensor<float> zero = zeros.Get<float>();
    Duplicate(zero, 0.0f, WIDTH);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        DataCopy(to[row * WIDTH], zero, CLEARED);
        PipeBarrier<PIPE_MTE3>();
        LocalTensor<float> a = line.AllocTensor<float>();
        DataCopy(a, from[row * WIDTH], WIDTH);
        line.EnQue(a);
        a = line.DeQue<float>();
        SetAtomicAdd<float>();
        DataCopy(to[row * WIDTH], a, WIDTH);
        SetAtomicNone();
        line.FreeTensor(a);
    }
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void half_of_each_row(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Add<WIDTH / 2>(x, y, rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void each_row(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Add<WIDTH>(x, y, rows);
}
//~ VERDICT half_of_each_row.initialised: holds `y` starts with defined contents
//~ VERDICT each_row.initialised: holds
