// scores[b] = q[b] @ k[b]^T in int8, one vec core to a cube: the next product runs while the former one is scaled, in two
// parts of a workspace.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr int32_t ROWS = 24;
constexpr int32_t DEPTH = 64;
constexpr int32_t KEYS = 40;
constexpr int32_t SUMS = ROWS * KEYS;

using Bytes = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
using BytesOfRows = MatmulType<TPosition::GM, CubeFormat::ND, int8_t, true>;
using Sums = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;

class Scores {
public:
    Matmul<Bytes, BytesOfRows, Sums> mm;

    __aicore__ inline void Init(GM_ADDR q, GM_ADDR k, GM_ADDR scores, GM_ADDR workspace, TPipe *pipe)
    {
        q_.SetGlobalBuffer((__gm__ int8_t *)q);
        k_.SetGlobalBuffer((__gm__ int8_t *)k);
        scores_.SetGlobalBuffer((__gm__ float *)scores);
        sums_.SetGlobalBuffer((__gm__ int32_t *)workspace + GetBlockIdx() * 2 * SUMS);
        pipe->InitBuffer(in_, 1, SUMS * sizeof(int32_t));
        pipe->InitBuffer(out_, 1, SUMS * sizeof(float));
        mm.SetOrgShape(ROWS, KEYS, DEPTH);
        mm.SetSingleShape(ROWS, KEYS, DEPTH);
    }
    __aicore__ inline void Process(int32_t batches)
    {
        const int32_t step = GetBlockNum();
        const int32_t start = GetBlockIdx();
        if (start < batches) {
            Ask(start, 0);
        }
        int32_t part = 0;
        for (int32_t batch = start; batch < batches; batch += step) {
            mm.WaitIterateAll();
            if (batch + step < batches) {
                Ask(batch + step, 1 - part);
            }
            Scale(batch, part);
            part = 1 - part;
        }
        mm.End();
    }

private:
    __aicore__ inline void Ask(int32_t batch, int32_t part)
    {
        mm.SetTensorA(q_[batch * ROWS * DEPTH]);
        mm.SetTensorB(k_[batch * KEYS * DEPTH], true);
        mm.IterateAll<false>(sums_[part * SUMS], 0, false, true);
    }
    __aicore__ inline void Scale(int32_t batch, int32_t part)
    {
        auto sums = in_.AllocTensor<int32_t>();
        DataCopy(sums, sums_[part * SUMS], SUMS);
        in_.EnQue(sums);
        sums = in_.DeQue<int32_t>();
        auto y = out_.AllocTensor<float>();
        Cast(y, sums, RoundMode::CAST_NONE, SUMS);
        Muls(y, y, 0.125f, SUMS);
        out_.EnQue(y);
        in_.FreeTensor(sums);
        y = out_.DeQue<float>();
        DataCopy(scores_[batch * SUMS], y, SUMS);
        out_.FreeTensor(y);
    }

    GlobalTensor<int8_t> q_, k_;
    GlobalTensor<int32_t> sums_;
    GlobalTensor<float> scores_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
};

// a2lint: launch(block_dim=2, q=int8[5, 24, 64], k=int8[5, 40, 64], scores=float[5, 24, 40], workspace=int[3840], batches=5)
extern "C" __global__ __aicore__ void batched_scores(GM_ADDR q, GM_ADDR k, GM_ADDR scores, GM_ADDR workspace,
                                                     TCubeTiling tiling, int32_t batches)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    TPipe pipe;
    Scores op;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &tiling);
    op.Init(q, k, scores, workspace, &pipe);
    op.Process(batches);
}
