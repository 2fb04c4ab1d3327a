//+// Blocks are loaded from the workspace while the cube still computes them.
// Blocks are loaded from the workspace when the object says that they are there.//-
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr int32_t HIGH = 16;
constexpr int32_t WIDE = 64;

using Left = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Right = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Result = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;

class Ahead {
public:
    Matmul<Left, Right, Result> mm;

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR cache, const TCubeTiling *tiling, TPipe *pipe)
    {
        tiling_ = tiling;
        x_.SetGlobalBuffer((__gm__ half *)x);
        w_.SetGlobalBuffer((__gm__ half *)w);
        y_.SetGlobalBuffer((__gm__ float *)y);
        blocks_ = tiling->N / WIDE;
        cache_.SetGlobalBuffer((__gm__ float *)cache + GetBlockIdx() * blocks_ * HIGH * WIDE);
        mm.SetWorkspace(cache_);
        pipe->InitBuffer(in_, 2, HIGH * WIDE * sizeof(float));
        pipe->InitBuffer(out_, 2, HIGH * WIDE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        const int32_t step = GetBlockNum() * GetTaskRation() * HIGH;
        for (int32_t row = GetBlockIdx() * HIGH; row < tiling_->M; row += step) {
            const int32_t rows = tiling_->M - row < HIGH ? tiling_->M - row : HIGH;
            mm.SetTail(rows, tiling_->N, tiling_->Ka);
            mm.SetTensorA(x_[row * tiling_->Ka]);
            mm.SetTensorB(w_);
//+            mm.template Iterate<false>();  //~ progress
            mm.template Iterate<false>();//-
            for (int32_t at = 0; at < blocks_; ++at) {
                auto block = in_.AllocTensor<float>();
//+                DataCopy(block, cache_[at * HIGH * WIDE], HIGH * WIDE);
                DataCopy(block, mm.template GetTensorC<false>(), HIGH * WIDE);//-
                in_.EnQue(block);
                block = in_.DeQue<float>();
                Store(block, row, at, rows);
                in_.FreeTensor(block);
            }
            // The next product overwrites the blocks that have been loaded here.
            const auto id = GetTPipePtr()->FetchEventID(HardEvent::MTE2_MTE3);
            SetFlag<HardEvent::MTE2_MTE3>(id);
            WaitFlag<HardEvent::MTE2_MTE3>(id);
        }
        mm.End();
    }

private:
    __aicore__ inline void Store(const LocalTensor<float> &block, int32_t row, int32_t at, int32_t rows)
    {
        auto y = out_.AllocTensor<float>();
        Muls(block, block, -1.0f, rows * WIDE);
        Exp(block, block, rows * WIDE);
        Adds(block, block, 1.0f, rows * WIDE);
        Duplicate(y, 1.0f, rows * WIDE);
        Div(y, y, block, rows * WIDE);
        out_.EnQue(y);
        y = out_.DeQue<float>();
        DataCopyExtParams layout{static_cast<uint16_t>(rows), WIDE * sizeof(float), 0,
                                 static_cast<uint32_t>((tiling_->N - WIDE) * sizeof(float)), 0};
        DataCopyPad(y_[row * tiling_->N + at * WIDE], y, layout);
        out_.FreeTensor(y);
    }

    const TCubeTiling *tiling_;
    int32_t blocks_;
    GlobalTensor<half> x_, w_;
    GlobalTensor<float> y_, cache_;
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
};

// a2lint: launch(block_dim=1, x=half[40, 32], w=half[32, 128], y=float[40, 128], cache=float[4096], tiling.M=40, tiling.N=128, tiling.Ka=32, tiling.Kb=32, tiling.singleCoreM=16, tiling.singleCoreN=128, tiling.singleCoreK=32, tiling.baseM=16, tiling.baseN=64, tiling.stepM=1, tiling.stepN=1, tiling.iterateOrder=0)
extern "C" __global__ __aicore__ void object_ahead(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR cache, GM_ADDR workspace,
                                                   TCubeTiling tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    Ahead op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &tiling);
    op.Init(x, w, y, cache, &tiling, &pipe);
    op.Process();
}
