// Several Matmul objects are registered at once, with or without their tilings.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

using Left = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Sums = MatmulType<TPosition::GM, CubeFormat::ND, float>;

__aicore__ inline void Product(Matmul<Left, Left, Sums> &mm, __gm__ half *a, __gm__ half *b, __gm__ float *y)
{
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gy;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gy.SetGlobalBuffer(y);
    mm.SetTensorA(ga);
    mm.SetTensorB(gb);
    mm.IterateAll(gy);
    mm.End();
}

// a2lint: launch(block_dim=1, a=half[32, 48], b=half[48, 64], y=float[32, 64], z=float[32, 64], first.M=32, first.N=64, first.Ka=48, first.Kb=48, first.singleCoreM=32, first.singleCoreN=64, first.singleCoreK=48)
__global__ __mix__(1, 2) void without_tilings(__gm__ half *a, __gm__ half *b, __gm__ float *y, __gm__ float *z,
                                              TCubeTiling first)
{
    TPipe pipe;
    Matmul<Left, Left, Sums> one, other;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, other);
    if (GetBlockIdx() != 0) {
        return;
    }
    one.Init(&first, &pipe);
    other.Init(&first, &pipe);
    Product(one, a, b, y);
    Product(other, a, b, z);
}

// a2lint: launch(block_dim=1, a=half[32, 48], b=half[48, 64], y=float[32, 64], z=float[32, 64], first.M=32, first.N=64, first.Ka=48, first.Kb=48, first.singleCoreM=32, first.singleCoreN=64, first.singleCoreK=48)
__global__ __mix__(1, 2) void with_tilings(__gm__ half *a, __gm__ half *b, __gm__ float *y, __gm__ float *z,
                                           TCubeTiling first)
{
    TPipe pipe;
    Matmul<Left, Left, Sums> one, other;
    TCubeTiling *tiling = &first;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), one, tiling, other, &first);
    if (GetBlockIdx() != 0) {
        return;
    }
    Product(one, a, b, y);
    Product(other, a, b, z);
}
