// A kernel sees addresses: the extents of a contract are compared as a number of elements.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

// a2lint: shapes(x=float[rows, 64], y=float[rows, 64])
// a2lint: launch(block_dim=2, x=float[5, 64], y=float[5, 64], rows=5)
extern "C" __global__ __aicore__ void two_extents(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> line;
    pipe.InitBuffer(line, 2, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = line.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        line.EnQue(a);
        a = line.DeQue<float>();
        DataCopy(yGm[row * WIDTH], a, WIDTH);
        line.FreeTensor(a);
    }
}

// The launch has a row less than the contract asks for.
// a2lint: shapes(x=float[rows, 64], y=float[rows, 64])
// a2lint: launch(block_dim=2, x=float[4, 64], y=float[5, 64], rows=5) //~ ERROR contract-violated
extern "C" __global__ __aicore__ void a_row_short(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    two_extents(x, y, rows);
}

// a2lint: shapes(x=float[M, N], y=float[M, N]) //~ WARNING launch-unusable: a product of two names
extern "C" __global__ __aicore__ void two_names(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    two_extents(x, y, rows);
}
