// y[g] = x[g] @ w[g] for groups of rows that lie one after the other: an object on the cube alone, its results added to
// what y holds. The numbers of rows are read from memory, and those beyond the last row are cut.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr int32_t K = 32;
constexpr int32_t N = 48;

// a2lint: launch(block_dim=2, x=bfloat16[61, 32], w=bfloat16[3, 32, 48], counts=int[3], y=float[61, 48], groups=3, tiling.M=61, tiling.N=48, tiling.Ka=32, tiling.Kb=32, tiling.singleCoreM=61, tiling.singleCoreN=48, tiling.singleCoreK=32)
extern "C" __global__ __aicore__ void grouped_product(GM_ADDR x, GM_ADDR w, GM_ADDR counts, GM_ADDR y,
                                                      TCubeTiling tiling, int32_t groups)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    using Factor = MatmulType<TPosition::GM, CubeFormat::ND, bfloat16_t>;
    using Sum = MatmulType<TPosition::GM, CubeFormat::ND, float>;
    TPipe pipe;
    Matmul<Factor, Factor, Sum, Sum, CFG_MDL> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    GlobalTensor<bfloat16_t> xGm, wGm;
    GlobalTensor<int32_t> countsGm;
    GlobalTensor<float> yGm;
    xGm.SetGlobalBuffer((__gm__ bfloat16_t *)x);
    wGm.SetGlobalBuffer((__gm__ bfloat16_t *)w);
    countsGm.SetGlobalBuffer((__gm__ int32_t *)counts);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    int32_t first = 0;
    for (int32_t group = 0; group < groups; group++) {
        int32_t rows = countsGm.GetValue(group);
        rows = rows < 0 ? 0 : (first + rows < tiling.M ? rows : tiling.M - first);
        if (rows > 0 && group % GetBlockNum() == GetBlockIdx()) {
            mm.SetTensorA(xGm[first * K]);
            mm.SetTensorB(wGm[group * K * N]);
            mm.SetSingleShape(rows, N, K);
            mm.IterateAll(yGm[first * N], 1);
        }
        first += rows;
    }
}
