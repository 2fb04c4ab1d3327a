// The blocks of c = a @ b^T one after the other, as `Iterate` computes them: each core has a strip of rows, and the
// blocks at its edges are smaller. A block takes the memory of a whole one.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <typename T>
class Blocks {
public:
    __aicore__ inline Blocks() {}
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, const TCubeTiling *tiling, TPipe *pipe)
    {
        a_.SetGlobalBuffer((__gm__ T *)a, tiling->M * tiling->Ka);
        b_.SetGlobalBuffer((__gm__ T *)b, tiling->N * tiling->Kb);
        c_.SetGlobalBuffer((__gm__ float *)c);
        tiling_ = tiling;
        mm_.Init(tiling, pipe);
    }
    __aicore__ inline void Process()
    {
        const int32_t row = GetBlockIdx() * tiling_->singleCoreM;
        if (row >= tiling_->M) {
            return;
        }
        const int32_t left = tiling_->M - row;
        const int32_t rows = left < tiling_->singleCoreM ? left : tiling_->singleCoreM;
        // Whole blocks of the strips before this one.
        const int32_t down = CeilDiv(tiling_->singleCoreM, tiling_->baseM);
        const int32_t across = CeilDiv(tiling_->N, tiling_->baseN);
        const int32_t size = tiling_->baseM * tiling_->baseN;
        int32_t offset = GetBlockIdx() * down * across * size;
        mm_.SetOrgShape(tiling_->M, tiling_->N, tiling_->Ka);
        mm_.SetSingleShape(rows, tiling_->N, tiling_->Ka);
        mm_.SetTensorA(a_[row * tiling_->Ka]);
        mm_.SetTensorB(b_, true);
        while (mm_.Iterate()) {
            mm_.GetTensorC(c_[offset], 0, true);
            offset += size;
        }
        mm_.End();
    }

private:
    static __aicore__ inline int32_t CeilDiv(int32_t a, int32_t b) { return (a + b - 1) / b; }

    const TCubeTiling *tiling_ = nullptr;
    MatmulImpl<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, CubeFormat::ND, T, true>,
               MatmulType<TPosition::GM, CubeFormat::ND, float>, MatmulType<TPosition::GM, CubeFormat::ND, float>,
               CFG_MDL>
        mm_;
    GlobalTensor<T> a_, b_;
    GlobalTensor<float> c_;
};

// a2lint: launch(block_dim=2, a=half[96, 64], b=half[96, 64], c=float[9216], tiling.M=96, tiling.N=96, tiling.Ka=64, tiling.Kb=64, tiling.singleCoreM=64, tiling.singleCoreN=96, tiling.singleCoreK=64, tiling.baseM=32, tiling.baseN=48, tiling.stepM=1, tiling.stepN=1, tiling.iterateOrder=0)
extern "C" __global__ __aicore__ void matmul_blocks(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace,
                                                    TCubeTiling tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    TPipe pipe;
    SetSysWorkspace(workspace);
    Blocks<half> op;
    op.Init(a, b, c, &tiling, &pipe);
    op.Process();
}
