//+// Both vec cores of a cube store their rows of the product at the same place.
// Each vec core stores its rows of the product at a place of its own.//-
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

constexpr uint32_t ROWS = 32, N = 64, K = 48;

using Left = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Sums = MatmulType<TPosition::GM, CubeFormat::ND, float>;

// a2lint: launch(block_dim=2, a=half[70, 48], b=half[48, 64], c=float[70, 64], tiling.M=70, tiling.N=64, tiling.Ka=48, tiling.Kb=48, tiling.singleCoreM=32, tiling.singleCoreN=64, tiling.singleCoreK=48)
__global__ __mix__(1, 2) void product_of_rows(__gm__ half *a, __gm__ half *b, __gm__ float *c, TCubeTiling tiling)
{
    TPipe pipe;
    Matmul<Left, Left, Sums> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    uint32_t row = GetBlockIdx() * ROWS;
    if (row < 70) {
        mm.SetTensorA(ga[row * K]);
        mm.SetTensorB(gb);
        mm.SetTail(70 - row < ROWS ? 70 - row : ROWS, N, K);
//+        mm.IterateAll(gc[GetBlockIdx() / GetTaskRation() * ROWS * N]);  //~ ownership
        mm.IterateAll(gc[row * N]);//-
    }
}
