//+// A block is stored before the vector unit has finished with it.
// A block is stored when the vector unit has finished with it.//-
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <typename A, typename B, typename C, typename Bias>
class BlockEpilogue {
public:
    __aicore__ inline BlockEpilogue() {}
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR y, const TCubeTiling &tiling, TPipe *pipe)
    {
        tiling_ = tiling;
        const int32_t down = tiling.M / tiling.singleCoreM;
        const int32_t row = GetBlockIdx() % down;
        const int32_t column = GetBlockIdx() / down;
        a_.SetGlobalBuffer(reinterpret_cast<__gm__ A *>(a), tiling.M * tiling.Ka);
        b_.SetGlobalBuffer(reinterpret_cast<__gm__ B *>(b), tiling.Kb * tiling.N);
        bias_.SetGlobalBuffer(reinterpret_cast<__gm__ Bias *>(bias), tiling.N);
        y_.SetGlobalBuffer(reinterpret_cast<__gm__ C *>(y), tiling.M * tiling.N);
        a_ = a_[row * tiling.singleCoreM * tiling.Ka];
        b_ = b_[column * tiling.singleCoreN];
        bias_ = bias_[column * tiling.singleCoreN];
        y_ = y_[row * tiling.singleCoreM * tiling.N + column * tiling.singleCoreN];
        pipe->InitBuffer(blocks_, 1, BLOCK * sizeof(C));
    }
    __aicore__ inline void Process(float slope)
    {
        int32_t at = 0;
        mm.SetTensorA(a_);
        mm.SetTensorB(b_);
        mm.SetBias(bias_);
        while (mm.template Iterate<true>()) {
            LocalTensor<C> block = blocks_.AllocTensor<C>();
            mm.template GetTensorC<true>(block, false, true);
            LeakyRelu(block, block, static_cast<C>(slope), tiling_.baseM * tiling_.baseN);
//+            CopyOut(at, block);
            blocks_.EnQue(block);//-
            CopyOut(at);//-
            ++at;
        }
        mm.End();
    }

    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, A>, MatmulType<TPosition::GM, CubeFormat::ND, B>,
           MatmulType<TPosition::VECIN, CubeFormat::ND, C>, MatmulType<TPosition::GM, CubeFormat::ND, Bias>>
        mm;

private:
    static constexpr int32_t BLOCK = 32 * 64;

//+    __aicore__ inline void CopyOut(int32_t at, LocalTensor<C> &block)
    __aicore__ inline void CopyOut(int32_t at)//-
    {
        const int32_t down = tiling_.singleCoreM / tiling_.baseM;
        const int32_t start = at % down * tiling_.baseM * tiling_.N + at / down * tiling_.baseN;
        LocalTensor<C> block = blocks_.DeQue<C>();//-
        DataCopyParams rows = {static_cast<uint16_t>(tiling_.baseM),
                               static_cast<uint16_t>(tiling_.baseN * sizeof(C) / 32), 0,
                               static_cast<uint16_t>((tiling_.N - tiling_.baseN) * sizeof(C) / 32)};
//+        DataCopy(y_[start], block, rows);  //~ order
        DataCopy(y_[start], block, rows);//-
        blocks_.FreeTensor(block);
    }

    TCubeTiling tiling_;
    GlobalTensor<A> a_;
    GlobalTensor<B> b_;
    GlobalTensor<Bias> bias_;
    GlobalTensor<C> y_;
    TQue<TPosition::VECOUT, 1> blocks_;
};

// a2lint: launch(block_dim=2, a=half[128, 48], b=half[48, 128], bias=float[128], y=float[128, 128], slope=0.125, tiling.M=128, tiling.N=128, tiling.Ka=48, tiling.Kb=48, tiling.singleCoreM=64, tiling.singleCoreN=64, tiling.singleCoreK=48, tiling.baseM=32, tiling.baseN=64, tiling.stepM=1, tiling.stepN=1, tiling.iterateOrder=0)
extern "C" __global__ __aicore__ void object_blocks(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace,
                                                    TCubeTiling tiling, float slope)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    BlockEpilogue<half, half, float, float> op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &tiling);
    op.Init(a, b, bias, y, tiling, &pipe);
    op.Process(slope);
}
