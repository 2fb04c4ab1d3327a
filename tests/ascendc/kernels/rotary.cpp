// Rotary embedding of heads of 64: the halves (a, b) become (a cos - b sin, b cos + a sin).
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t HALF_DIM = 32;
constexpr int32_t HEAD = 2 * HALF_DIM;

class Rotary {
public:
    __aicore__ inline void Init(GM_ADDR q, GM_ADDR cosine, GM_ADDR sine, GM_ADDR out, int32_t heads)
    {
        heads_ = heads;
        q_.SetGlobalBuffer((__gm__ float*)q, heads * HEAD);
        out_.SetGlobalBuffer((__gm__ float*)out, heads * HEAD);
        cos_.SetGlobalBuffer((__gm__ float*)cosine, heads * HALF_DIM);
        sin_.SetGlobalBuffer((__gm__ float*)sine, heads * HALF_DIM);
        pipe_.InitBuffer(headQ_, 2, HEAD * sizeof(float));
        pipe_.InitBuffer(angleQ_, 2, 2 * HALF_DIM * sizeof(float));
        pipe_.InitBuffer(outQ_, 2, HEAD * sizeof(float));
        pipe_.InitBuffer(tmp_, HALF_DIM * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        const int32_t stride = static_cast<int32_t>(GetBlockNum());
        for (int32_t h = static_cast<int32_t>(GetBlockIdx()); h < heads_; h += stride) {
            One(h);
        }
    }

private:
    __aicore__ inline void One(int32_t h)
    {
        {
            auto head = headQ_.AllocTensor<float>();
            DataCopy(head, q_[h * HEAD], HEAD);
            headQ_.EnQue(head);
            auto angle = angleQ_.AllocTensor<float>();
            DataCopy(angle, cos_[h * HALF_DIM], HALF_DIM);
            DataCopy(angle[HALF_DIM], sin_[h * HALF_DIM], HALF_DIM);
            angleQ_.EnQue(angle);
        }
        auto head = headQ_.DeQue<float>();
        auto angle = angleQ_.DeQue<float>();
        auto result = outQ_.AllocTensor<float>();
        auto tmp = tmp_.Get<float>();
        auto a = head[0], b = head[HALF_DIM];
        auto c = angle[0], s = angle[HALF_DIM];
        Mul(result, a, c, HALF_DIM);
        Mul(tmp, b, s, HALF_DIM);
        Sub(result, result, tmp, HALF_DIM);
        Mul(result[HALF_DIM], b, c, HALF_DIM);
        Mul(tmp, a, s, HALF_DIM);
        Add(result[HALF_DIM], result[HALF_DIM], tmp, HALF_DIM);
        headQ_.FreeTensor(head);
        angleQ_.FreeTensor(angle);
        outQ_.EnQue(result);
        result = outQ_.DeQue<float>();
        DataCopy(out_[h * HEAD], result, HEAD);
        outQ_.FreeTensor(result);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> headQ_, angleQ_;
    TQue<TPosition::VECOUT, 1> outQ_;
    TBuf<TPosition::VECCALC> tmp_;
    GlobalTensor<float> q_, cos_, sin_, out_;
    int32_t heads_;
};

// a2lint: launch(block_dim=3, q=float[7, 64], cosine=float[7, 32], sine=float[7, 32], out=float[7, 64], heads=7)
extern "C" __global__ __aicore__ void rotary(GM_ADDR q, GM_ADDR cosine, GM_ADDR sine, GM_ADDR out, int32_t heads)
{
    Rotary op;
    op.Init(q, cosine, sine, out, heads);
    op.Process();
}
