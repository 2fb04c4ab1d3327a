// c = a @ b + bias with a Matmul object: each vec core asks the cube of its core for a tile of the result, and rows and
// columns at the edges make smaller tiles.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

namespace {
template <typename T>
class Product {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const TCubeTiling &tiling)
    {
        tiling_ = tiling;
        a_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(a), tiling.M * tiling.Ka);
        b_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(b), tiling.Kb * tiling.N);
        bias_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(bias), tiling.N);
        c_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c), tiling.M * tiling.N);
    }
    __aicore__ inline void Process()
    {
        const int32_t across = (tiling_.N + tiling_.singleCoreN - 1) / tiling_.singleCoreN;
        const int32_t down = (tiling_.M + tiling_.singleCoreM - 1) / tiling_.singleCoreM;
        for (int32_t tile = GetBlockIdx(); tile < across * down; tile += GetBlockNum() * GetTaskRation()) {
            const int32_t row = tile / across * tiling_.singleCoreM;
            const int32_t column = tile % across * tiling_.singleCoreN;
            const int32_t rows = tiling_.M - row < tiling_.singleCoreM ? tiling_.M - row : tiling_.singleCoreM;
            const int32_t columns =
                tiling_.N - column < tiling_.singleCoreN ? tiling_.N - column : tiling_.singleCoreN;
            mm.SetTensorA(a_[row * tiling_.Ka]);
            mm.SetTensorB(b_[column]);
            mm.SetBias(bias_[column]);
            mm.SetTail(rows, columns);
            mm.IterateAll(c_[row * tiling_.N + column]);
        }
        mm.End();
    }

    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, CubeFormat::ND, T>,
           MatmulType<TPosition::GM, CubeFormat::ND, float>, MatmulType<TPosition::GM, CubeFormat::ND, float>>
        mm;

private:
    TCubeTiling tiling_;
    GlobalTensor<T> a_, b_;
    GlobalTensor<float> bias_, c_;
};
} // namespace

// a2lint: launch(block_dim=2, a=half[70, 48], b=half[48, 90], bias=float[90], c=float[70, 90], tiling.M=70, tiling.N=90, tiling.Ka=48, tiling.Kb=48, tiling.singleCoreM=32, tiling.singleCoreN=64, tiling.singleCoreK=48)
extern "C" __global__ __aicore__ void matmul_object(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace,
                                                    TCubeTiling tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    SetSysWorkspace(workspace);
    Product<half> op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &tiling);
    op.Init(a, b, bias, c, tiling);
    op.Process();
}
