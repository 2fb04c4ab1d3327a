// A product that nothing waits for is done when its object says so, not when a pipe of the vec core is.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

constexpr uint32_t ROWS = 32, N = 64, K = 48;

using Factor = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Result = MatmulType<TPosition::GM, CubeFormat::ND, float>;

// a2lint: launch(block_dim=1, a=half[64, 48], b=half[48, 64], y=float[64, 64], sums=float[4096], tiling.M=64, tiling.N=64, tiling.Ka=48, tiling.Kb=48, tiling.singleCoreM=32, tiling.singleCoreN=64, tiling.singleCoreK=48)
__global__ __mix__(1, 2) void halves(__gm__ half *a, __gm__ half *b, __gm__ float *y, __gm__ float *sums, TCubeTiling tiling)
{
    TPipe pipe;
    Matmul<Factor, Factor, Result> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gy, gs;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gy.SetGlobalBuffer(y);
    gs.SetGlobalBuffer(sums + GetBlockIdx() * ROWS * N);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, ROWS * N * sizeof(float));
    mm.SetTensorB(gb);
    uint32_t row = GetBlockIdx() * ROWS;
    mm.SetTensorA(ga[row * K]);
    mm.IterateAll<false>(gs);
    LocalTensor<float> x = rows.AllocTensor<float>();
    DataCopy(x, gs, ROWS * N);  //~ ERROR race
    rows.EnQue(x);
    x = rows.DeQue<float>();
    DataCopy(gy[row * N], x, ROWS * N);
    rows.FreeTensor(x);
}
