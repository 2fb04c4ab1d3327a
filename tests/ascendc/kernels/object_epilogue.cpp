// y = relu(x @ w^T) * scale, rounded to half: the cube of a core multiplies blocks of rows into a workspace for its vec
// cores, each of which scales and stores its own rows.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr uint32_t BLOCK = 32;
constexpr uint32_t COLUMNS = 64;

using Left = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Right = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half, true>;
using Result = matmul::MatmulType<TPosition::GM, CubeFormat::ND, float>;

class Epilogue {
public:
    matmul::Matmul<Left, Right, Result> mm;

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace, TPipe *pipe)
    {
        x_.SetGlobalBuffer((__gm__ half *)x);
        w_.SetGlobalBuffer((__gm__ half *)w);
        y_.SetGlobalBuffer((__gm__ half *)y);
        sums_.SetGlobalBuffer((__gm__ float *)workspace + GetBlockIdx() * BLOCK * COLUMNS, BLOCK * COLUMNS);
        pipe->InitBuffer(in_, 1, BLOCK * COLUMNS * sizeof(float));
        pipe->InitBuffer(out_, 1, BLOCK * COLUMNS * sizeof(half));
    }
    __aicore__ inline void Process(uint32_t rows, float scale)
    {
        const uint32_t step = GetBlockNum() * GetTaskRation() * BLOCK;
        for (uint32_t row = GetBlockIdx() * BLOCK; row < rows; row += step) {
            const uint32_t live = rows - row < BLOCK ? rows - row : BLOCK;
            mm.SetTensorA(x_[row * K]);
            mm.SetTensorB(w_, true);
            mm.SetSingleShape(live, COLUMNS, K);
            mm.IterateAll(sums_);
            Scale(row, live, scale);
        }
        mm.End();
    }

private:
    static constexpr uint32_t K = 80;

    __aicore__ inline void Scale(uint32_t row, uint32_t live, float scale)
    {
        auto sums = in_.AllocTensor<float>();
        DataCopy(sums, sums_, live * COLUMNS);
        in_.EnQue(sums);
        sums = in_.DeQue<float>();
        auto y = out_.AllocTensor<half>();
        Relu(sums, sums, live * COLUMNS);
        Muls(sums, sums, scale, live * COLUMNS);
        Cast(y, sums, RoundMode::CAST_RINT, live * COLUMNS);
        out_.EnQue(y);
        in_.FreeTensor(sums);
        y = out_.DeQue<half>();
        DataCopy(y_[row * COLUMNS], y, live * COLUMNS);
        out_.FreeTensor(y);
        // The next product overwrites the sums that have been loaded here.
        const auto id = GetTPipePtr()->FetchEventID(HardEvent::MTE2_MTE3);
        SetFlag<HardEvent::MTE2_MTE3>(id);
        WaitFlag<HardEvent::MTE2_MTE3>(id);
    }

    GlobalTensor<half> x_, w_, y_;
    GlobalTensor<float> sums_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
};

// a2lint: launch(block_dim=2, x=half[150, 80], w=half[64, 80], y=half[150, 64], workspace=float[8192], rows=150, scale=0.5, tiling.M=150, tiling.N=64, tiling.Ka=80, tiling.Kb=80, tiling.singleCoreM=32, tiling.singleCoreN=64, tiling.singleCoreK=80)
extern "C" __global__ __aicore__ void object_epilogue(GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace,
                                                      TCubeTiling tiling, uint32_t rows, float scale)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    Epilogue op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &tiling);
    op.Init(x, w, y, workspace, &pipe);
    op.Process(rows, scale);
}
