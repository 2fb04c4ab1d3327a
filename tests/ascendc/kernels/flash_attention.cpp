// y = softmax(q @ k^T * scale) @ v by tiles of keys: scores go from the cube to its vec cores through one slot of a
// workspace, weights come back through a second one, and their products with v go out through a third.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROWS = 32, KEYS = 32, DEPTH = 64, HALF_ROWS = ROWS / 2;
constexpr uint32_t SCORES = ROWS * KEYS, RESULTS = ROWS * DEPTH;
constexpr uint16_t SCORES_READY = 0, WEIGHTS_READY = 1, RESULTS_READY = 2;

struct Slots {
    GlobalTensor<float> scores;
    GlobalTensor<half> weights;
    GlobalTensor<float> results;

    __aicore__ inline void Init(GM_ADDR s, GM_ADDR p, GM_ADDR o, uint32_t core)
    {
        scores.SetGlobalBuffer((__gm__ float *)s + core * SCORES);
        weights.SetGlobalBuffer((__gm__ half *)p + core * SCORES);
        results.SetGlobalBuffer((__gm__ float *)o + core * RESULTS);
    }
};

class Products {
public:
    __aicore__ inline void Init(GM_ADDR q, GM_ADDR k, GM_ADDR v, uint32_t length, TPipe *pipe)
    {
        length_ = length;
        q_.SetGlobalBuffer((__gm__ half *)q);
        k_.SetGlobalBuffer((__gm__ half *)k);
        v_.SetGlobalBuffer((__gm__ half *)v);
        pipe->InitBuffer(a1_, 2, ROWS * DEPTH * sizeof(half));
        pipe->InitBuffer(b1_, 2, KEYS * DEPTH * sizeof(half));
        pipe->InitBuffer(a2_, 2, ROWS * DEPTH * sizeof(half));
        pipe->InitBuffer(b2_, 2, KEYS * DEPTH * sizeof(half));
        pipe->InitBuffer(sum_, 2, RESULTS * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t heads, Slots &slots)
    {
        for (uint32_t head = GetBlockIdx(); head < heads; head += GetBlockNum()) {
            uint32_t first = head * length_ * DEPTH;
            for (uint32_t row = 0; row < length_; row += ROWS) {
                for (uint32_t key = 0; key < length_; key += KEYS) {
                    Scores(q_[first + row * DEPTH], k_[first + key * DEPTH], slots.scores);
                    CrossCoreSetFlag<2, PIPE_FIX>(SCORES_READY);
                    CrossCoreWaitFlag(WEIGHTS_READY);
                    Weighted(slots.weights, v_[first + key * DEPTH], slots.results);
                    CrossCoreSetFlag<2, PIPE_FIX>(RESULTS_READY);
                }
            }
        }
    }

private:
    // Both operands are rows of the depth: the right one needs no transposition.
    __aicore__ inline void Scores(const GlobalTensor<half> &q, const GlobalTensor<half> &k,
                                  const GlobalTensor<float> &out)
    {
        Left(q, DEPTH);
        LocalTensor<half> b1 = b1_.AllocTensor<half>();
        DataCopy(b1, k, Nd2NzParams{1, KEYS, DEPTH, 0, DEPTH, KEYS, 1, 0});
        b1_.EnQue(b1);
        b1 = b1_.DeQue<half>();
        LocalTensor<half> b2 = b2_.AllocTensor<half>();
        LoadData(b2, b1, LoadData2DParams{0, KEYS / 16 * (DEPTH / 16), 1, 0, 0, false, 0});
        b2_.EnQue(b2);
        b1_.FreeTensor(b1);
        Multiply(out, KEYS, DEPTH);
    }
    __aicore__ inline void Weighted(const GlobalTensor<half> &weights, const GlobalTensor<half> &v,
                                    const GlobalTensor<float> &out)
    {
        Left(weights, KEYS);
        LocalTensor<half> b1 = b1_.AllocTensor<half>();
        DataCopy(b1, v, Nd2NzParams{1, KEYS, DEPTH, 0, DEPTH, KEYS, 1, 0});
        b1_.EnQue(b1);
        b1 = b1_.DeQue<half>();
        LocalTensor<half> b2 = b2_.AllocTensor<half>();
        for (uint32_t i = 0; i < KEYS / 16; i++) {
            LoadData(b2[i * DEPTH * 16], b1[i * 256], LoadData2DParams{0, DEPTH / 16, KEYS / 16, 0, 0, true, 0});
        }
        b2_.EnQue(b2);
        b1_.FreeTensor(b1);
        Multiply(out, DEPTH, KEYS);
    }
    __aicore__ inline void Left(const GlobalTensor<half> &from, uint16_t depth)
    {
        LocalTensor<half> a1 = a1_.AllocTensor<half>();
        DataCopy(a1, from, Nd2NzParams{1, ROWS, depth, 0, depth, ROWS, 1, 0});
        a1_.EnQue(a1);
        a1 = a1_.DeQue<half>();
        LocalTensor<half> a2 = a2_.AllocTensor<half>();
        for (uint32_t i = 0; i < ROWS / 16; i++) {
            LoadData(a2[i * depth * 16], a1[i * 256],
                     LoadData2DParams{0, static_cast<uint8_t>(depth / 16), ROWS / 16, 0, 0, false, 0});
        }
        a2_.EnQue(a2);
        a1_.FreeTensor(a1);
    }
    __aicore__ inline void Multiply(const GlobalTensor<float> &out, uint16_t n, uint16_t k)
    {
        LocalTensor<half> a = a2_.DeQue<half>();
        LocalTensor<half> b = b2_.DeQue<half>();
        LocalTensor<float> sum = sum_.AllocTensor<float>();
        Mmad(sum, a, b, MmadParams{ROWS, n, k, 0, false, true});
        a2_.FreeTensor(a);
        b2_.FreeTensor(b);
        sum_.EnQue(sum);
        sum = sum_.DeQue<float>();
        Fixpipe(out, sum, FixpipeParamsV220{n, ROWS, ROWS, n, false});
        sum_.FreeTensor(sum);
    }

    uint32_t length_;
    GlobalTensor<half> q_, k_, v_;
    TQue<TPosition::A1, 1> a1_;
    TQue<TPosition::B1, 1> b1_;
    TQue<TPosition::A2, 1> a2_;
    TQue<TPosition::B2, 1> b2_;
    TQue<TPosition::CO1, 1> sum_;
};

class Softmax {
public:
    __aicore__ inline void Init(GM_ADDR y, uint32_t length, float scale, TPipe *pipe)
    {
        length_ = length;
        scale_ = scale;
        y_.SetGlobalBuffer((__gm__ float *)y);
        pipe->InitBuffer(scores_, 1, HALF_ROWS * KEYS * sizeof(float));
        pipe->InitBuffer(results_, 1, HALF_ROWS * DEPTH * sizeof(float));
        pipe->InitBuffer(weights_, 1, HALF_ROWS * KEYS * sizeof(half));
        pipe->InitBuffer(out_, 1, HALF_ROWS * DEPTH * sizeof(float));
        pipe->InitBuffer(sum_, HALF_ROWS * DEPTH * sizeof(float));
        pipe->InitBuffer(rows_, 5 * HALF_ROWS * sizeof(float));
        pipe->InitBuffer(wide_, 2 * HALF_ROWS * 8 * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t heads, Slots &slots)
    {
        for (uint32_t head = GetBlockIdx() / 2; head < heads; head += GetBlockNum()) {
            for (uint32_t row = 0; row < length_; row += ROWS) {
                Tile(slots);
                LocalTensor<float> out = out_.DeQue<float>();
                uint32_t first = head * length_ + row + GetSubBlockIdx() * HALF_ROWS;
                DataCopy(y_[first * DEPTH], out, HALF_ROWS * DEPTH);
                out_.FreeTensor(out);
            }
        }
    }

private:
    __aicore__ inline void Tile(Slots &slots)
    {
        LocalTensor<float> rows = rows_.Get<float>();
        LocalTensor<float> most = rows, total = rows[HALF_ROWS], next = rows[2 * HALF_ROWS];
        LocalTensor<float> shrink = rows[3 * HALF_ROWS], part = rows[4 * HALF_ROWS];
        LocalTensor<float> wide = wide_.Get<float>();
        LocalTensor<float> sum = sum_.Get<float>();
        Duplicate(most, -1e30f, HALF_ROWS);
        Duplicate(total, 0.0f, HALF_ROWS);
        Duplicate(sum, 0.0f, HALF_ROWS * DEPTH);
        for (uint32_t key = 0; key < length_; key += KEYS) {
            CrossCoreWaitFlag(SCORES_READY);
            LocalTensor<float> s = scores_.AllocTensor<float>();
            DataCopy(s, slots.scores[GetSubBlockIdx() * HALF_ROWS * KEYS], HALF_ROWS * KEYS);
            scores_.EnQue(s);
            s = scores_.DeQue<float>();
            Muls(s, s, scale_, HALF_ROWS * KEYS);
            WholeReduceMax<float>(part, s, KEYS, HALF_ROWS, 1, 1, KEYS / 8, ReduceOrder::ORDER_ONLY_VALUE);
            Max(next, most, part, HALF_ROWS);
            Brcb(wide, next, HALF_ROWS / 8, BrcbRepeatParams(1, 8));
            Sub(s, s, wide, KEYS, HALF_ROWS, BinaryRepeatParams(1, 1, 0, KEYS / 8, KEYS / 8, 1));
            Exp(s, s, HALF_ROWS * KEYS);
            Sub(shrink, most, next, HALF_ROWS);
            Exp(shrink, shrink, HALF_ROWS);
            WholeReduceSum<float>(part, s, KEYS, HALF_ROWS, 1, 1, KEYS / 8);
            Mul(total, total, shrink, HALF_ROWS);
            Add(total, total, part, HALF_ROWS);
            Adds(most, next, 0.0f, HALF_ROWS);
            LocalTensor<half> p = weights_.AllocTensor<half>();
            Cast(p, s, RoundMode::CAST_RINT, HALF_ROWS * KEYS);
            scores_.FreeTensor(s);
            weights_.EnQue(p);
            p = weights_.DeQue<half>();
            DataCopy(slots.weights[GetSubBlockIdx() * HALF_ROWS * KEYS], p, HALF_ROWS * KEYS);
            CrossCoreSetFlag<2, PIPE_MTE3>(WEIGHTS_READY);
            weights_.FreeTensor(p);
            CrossCoreWaitFlag(RESULTS_READY);
            LocalTensor<float> o = results_.AllocTensor<float>();
            DataCopy(o, slots.results[GetSubBlockIdx() * HALF_ROWS * DEPTH], HALF_ROWS * DEPTH);
            results_.EnQue(o);
            o = results_.DeQue<float>();
            Brcb(wide, shrink, HALF_ROWS / 8, BrcbRepeatParams(1, 8));
            Mul(sum, sum, wide, DEPTH, HALF_ROWS, BinaryRepeatParams(1, 1, 0, DEPTH / 8, DEPTH / 8, 1));
            Add(sum, sum, o, HALF_ROWS * DEPTH);
            results_.FreeTensor(o);
        }
        LocalTensor<float> out = out_.AllocTensor<float>();
        Brcb(wide, total, HALF_ROWS / 8, BrcbRepeatParams(1, 8));
        Div(out, sum, wide, DEPTH, HALF_ROWS, BinaryRepeatParams(1, 1, 0, DEPTH / 8, DEPTH / 8, 1));
        out_.EnQue(out);
    }

    uint32_t length_;
    float scale_;
    GlobalTensor<float> y_;
    TQue<TPosition::VECIN, 1> scores_, results_;
    TQue<TPosition::VECOUT, 1> weights_, out_;
    TBuf<TPosition::VECCALC> sum_, rows_, wide_;
};

// a2lint: launch(block_dim=2, q=half[3, 64, 64], k=half[3, 64, 64], v=half[3, 64, 64], y=float[3, 64, 64], s=float[2, 32, 32], p=half[2, 32, 32], o=float[2, 32, 64], heads=3, length=64, scale=0.125)
extern "C" __global__ __aicore__ void flash_attention(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR y, GM_ADDR s, GM_ADDR p,
                                                      GM_ADDR o, uint32_t heads, uint32_t length, float scale)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    Slots slots;
    if ASCEND_IS_AIC {
        slots.Init(s, p, o, GetBlockIdx());
        Products products;
        products.Init(q, k, v, length, &pipe);
        products.Process(heads, slots);
    }
    if ASCEND_IS_AIV {
        slots.Init(s, p, o, GetBlockIdx() / GetSubBlockNum());
        Softmax softmax;
        softmax.Init(y, length, scale, &pipe);
        softmax.Process(heads, slots);
    }
}
