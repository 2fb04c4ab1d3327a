//+// The vec core loads sums that the cube is still computing.
// The vec core waits for the cube before it loads the sums.//-
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

constexpr uint32_t ROWS = 32, N = 64, K = 48;

using Left = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Sums = MatmulType<TPosition::GM, CubeFormat::ND, float>;

// a2lint: launch(block_dim=2, a=half[128, 48], b=half[48, 64], y=float[128, 64], sums=float[8192], tiling.M=128, tiling.N=64, tiling.Ka=48, tiling.Kb=48, tiling.singleCoreM=32, tiling.singleCoreN=64, tiling.singleCoreK=48)
__global__ __mix__(1, 2) void scaled_product(__gm__ half *a, __gm__ half *b, __gm__ float *y, __gm__ float *sums,
                                             TCubeTiling tiling)
{
    TPipe pipe;
    Matmul<Left, Left, Sums> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gy, gs;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gy.SetGlobalBuffer(y);
    gs.SetGlobalBuffer(sums + GetBlockIdx() * ROWS * N);
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, ROWS * N * sizeof(float));
    pipe.InitBuffer(out, 1, ROWS * N * sizeof(float));
    mm.SetTensorB(gb);
    for (uint32_t row = GetBlockIdx() * ROWS; row < 128; row += 2 * GetBlockNum() * ROWS) {
        mm.SetTensorA(ga[row * K]);
//+        mm.IterateAll<false>(gs);
        mm.IterateAll<false>(gs, 0, false, true);//-
        mm.WaitIterateAll();//-
        LocalTensor<float> x = in.AllocTensor<float>();
//+        DataCopy(x, gs, ROWS * N);  //~ order
        DataCopy(x, gs, ROWS * N);//-
        in.EnQue(x);
        x = in.DeQue<float>();
        LocalTensor<float> z = out.AllocTensor<float>();
        Muls(z, x, 0.5f, ROWS * N);
        out.EnQue(z);
        in.FreeTensor(x);
        z = out.DeQue<float>();
        DataCopy(gy[row * N], z, ROWS * N);
        out.FreeTensor(z);
    }
}
