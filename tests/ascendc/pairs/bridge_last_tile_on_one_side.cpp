//+// The vec cores leave out the last tile of keys, for which the cube waits.
// Both sides go through all tiles of keys.//-
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t HEADS = 16, HALF = HEADS / 2, KEYS = 32;
constexpr uint32_t LATENT = 64, ROPE = 16, WIDTH = LATENT + ROPE;
constexpr uint32_t SCORES = HEADS * KEYS, RESULTS = HEADS * LATENT;
constexpr uint16_t SCORES_READY = 0, WEIGHTS_READY = 1, RESULTS_READY = 2;

__aicore__ inline uint32_t Least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

struct Bridges {
    GlobalTensor<int32_t> lengths;
    GlobalTensor<float> scores;
    GlobalTensor<half> weights;
    GlobalTensor<float> results;
    uint32_t longest;

    __aicore__ inline Bridges(GM_ADDR l, GM_ADDR s, GM_ADDR p, GM_ADDR o, uint32_t longest, uint32_t core)
        : longest(longest)
    {
        lengths.SetGlobalBuffer((__gm__ int32_t *)l);
        scores.SetGlobalBuffer((__gm__ float *)s + core * SCORES);
        weights.SetGlobalBuffer((__gm__ half *)p + core * SCORES);
        results.SetGlobalBuffer((__gm__ float *)o + core * RESULTS);
    }
    // Both sides have to go through the same tiles.
    __aicore__ inline uint32_t LengthOf(uint32_t batch)
    {
        const int32_t length = lengths.GetValue(batch);
        return length < 0 ? 0 : Least(static_cast<uint32_t>(length), longest);
    }
};

class LatentProducts {
public:
    __aicore__ inline void Init(GM_ADDR q, GM_ADDR cache, TPipe *pipe)
    {
        q_.SetGlobalBuffer((__gm__ half *)q);
        cache_.SetGlobalBuffer((__gm__ half *)cache);
        pipe->InitBuffer(a1Que_, 1, HEADS * WIDTH * sizeof(half));
        pipe->InitBuffer(b1Que_, 2, KEYS * WIDTH * sizeof(half));
        pipe->InitBuffer(queries_, 1, HEADS * WIDTH * sizeof(half));
        pipe->InitBuffer(a2Que_, 1, HEADS * KEYS * sizeof(half));
        pipe->InitBuffer(b2Que_, 2, KEYS * WIDTH * sizeof(half));
        pipe->InitBuffer(sumQue_, 2, RESULTS * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t batches, Bridges &bridges)
    {
        for (uint32_t batch = GetBlockIdx(); batch < batches; batch += GetBlockNum()) {
            const uint32_t length = bridges.LengthOf(batch);
            if (length == 0) {
                continue;
            }
            LoadLeft(queries_, q_[batch * HEADS * WIDTH], WIDTH, WIDTH);
            LocalTensor<half> queries = queries_.DeQue<half>();
            for (uint32_t key = 0; key < length; key += KEYS) {
                const uint32_t live = Least(KEYS, length - key);
                Tile(queries, cache_[(batch * bridges.longest + key) * WIDTH], live, bridges);
            }
            queries_.FreeTensor(queries);
        }
    }

private:
    __aicore__ inline void Tile(const LocalTensor<half> &queries, const GlobalTensor<half> &keys, uint32_t live,
                                Bridges &bridges)
    {
        const uint16_t high = (live + 15) / 16 * 16;
        LocalTensor<half> b1 = b1Que_.AllocTensor<half>();
        DataCopy(b1, keys, Nd2NzParams{1, static_cast<uint16_t>(live), WIDTH, 0, WIDTH, high, 1, 0});
        b1Que_.EnQue(b1);
        b1 = b1Que_.DeQue<half>();
        LocalTensor<half> b2 = b2Que_.AllocTensor<half>();
        LoadData(b2, b1, LoadData2DParams{0, static_cast<uint8_t>(WIDTH / 16 * (high / 16)), 1, 0, 0, false, 0});
        b2Que_.EnQue(b2);
        Multiply(queries, bridges.scores, live, WIDTH, KEYS);
        CrossCoreSetFlag<2, PIPE_FIX>(SCORES_READY);

        // The latent columns of the same keys are the right operand of the second product.
        b2 = b2Que_.AllocTensor<half>();
        LoadData2dTransposeParams fractals;
        fractals.repeatTimes = LATENT / 16;
        fractals.srcStride = high / 16;
        for (uint32_t at = 0; at < high / 16; at++) {
            LoadDataWithTranspose(b2[at * LATENT * 16], b1[at * 256], fractals);
        }
        b2Que_.EnQue(b2);
        b1Que_.FreeTensor(b1);
//+        CrossCoreWaitFlag(WEIGHTS_READY);  //~ progress
        CrossCoreWaitFlag(WEIGHTS_READY);//-
        LoadLeft(a2Que_, bridges.weights, live, KEYS);
        LocalTensor<half> weights = a2Que_.DeQue<half>();
        Multiply(weights, bridges.results, LATENT, live, LATENT);
        a2Que_.FreeTensor(weights);
        CrossCoreSetFlag<2, PIPE_FIX>(RESULTS_READY);
    }
    // One row of fractals is enough for all heads.
    __aicore__ inline void LoadLeft(TQue<TPosition::A2, 1> &queue, const GlobalTensor<half> &from, uint32_t columns,
                                    uint32_t pitch)
    {
        LocalTensor<half> a1 = a1Que_.AllocTensor<half>();
        Nd2NzParams rows{1, HEADS, static_cast<uint16_t>(columns), 0, static_cast<uint16_t>(pitch), HEADS, 1, 0};
        DataCopy(a1, from, rows);
        a1Que_.EnQue(a1);
        a1 = a1Que_.DeQue<half>();
        LocalTensor<half> a2 = queue.AllocTensor<half>();
        LoadData(a2, a1, LoadData2DParams{0, static_cast<uint8_t>((columns + 15) / 16), 1, 0, 0, false, 0});
        queue.EnQue(a2);
        a1Que_.FreeTensor(a1);
    }
    __aicore__ inline void Multiply(const LocalTensor<half> &left, const GlobalTensor<float> &out, uint32_t columns,
                                    uint32_t depth, uint32_t pitch)
    {
        LocalTensor<half> right = b2Que_.DeQue<half>();
        LocalTensor<float> sum = sumQue_.AllocTensor<float>();
        MmadParams product;
        product.m = HEADS;
        product.n = columns;
        product.k = depth;
        Mmad(sum, left, right, product);
        b2Que_.FreeTensor(right);
        sumQue_.EnQue(sum);
        sum = sumQue_.DeQue<float>();
        FixpipeParamsV220 rows;
        rows.nSize = columns;
        rows.mSize = HEADS;
        rows.srcStride = HEADS;
        rows.dstStride = pitch;
        Fixpipe(out, sum, rows);
        sumQue_.FreeTensor(sum);
    }

    GlobalTensor<half> q_, cache_;
    TQue<TPosition::A1, 1> a1Que_;
    TQue<TPosition::B1, 1> b1Que_;
    TQue<TPosition::A2, 1> queries_, a2Que_;
    TQue<TPosition::B2, 1> b2Que_;
    TQue<TPosition::CO1, 1> sumQue_;
};

class LatentSoftmax {
public:
    __aicore__ inline void Init(GM_ADDR y, float scale, TPipe *pipe)
    {
        scale_ = scale;
        y_.SetGlobalBuffer((__gm__ float *)y);
        pipe->InitBuffer(scoreQue_, 1, HALF * KEYS * sizeof(float));
        pipe->InitBuffer(weightQue_, 1, HALF * KEYS * sizeof(half));
        pipe->InitBuffer(resultQue_, 1, HALF * LATENT * sizeof(float));
        pipe->InitBuffer(outQue_, 1, HALF * LATENT * sizeof(float));
        pipe->InitBuffer(sumBuf_, HALF * LATENT * sizeof(float));
        pipe->InitBuffer(rowBuf_, 5 * HALF * sizeof(float));
        pipe->InitBuffer(wideBuf_, HALF * 8 * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t batches, Bridges &bridges)
    {
        for (uint32_t batch = GetBlockIdx() / 2; batch < batches; batch += GetBlockNum()) {
            const uint32_t length = bridges.LengthOf(batch);
            LocalTensor<float> sum = sumBuf_.Get<float>();
            LocalTensor<float> rows = rowBuf_.Get<float>();
            Duplicate(rows, -1e30f, HALF);
            // An empty batch is divided by one.
            Duplicate(rows[HALF], length == 0 ? 1.0f : 0.0f, HALF);
            Duplicate(sum, 0.0f, HALF * LATENT);
//+            for (uint32_t key = 0; key + KEYS <= length; key += KEYS) {
            for (uint32_t key = 0; key < length; key += KEYS) {//-
                Weigh(Least(KEYS, length - key), bridges);
                Collect(bridges);
            }
            LocalTensor<float> wide = wideBuf_.Get<float>();
            LocalTensor<float> out = outQue_.AllocTensor<float>();
            Brcb(wide, rows[HALF], HALF / 8, BrcbRepeatParams(1, 8));
            Div(out, sum, wide, LATENT, HALF, BinaryRepeatParams(1, 1, 0, LATENT / 8, LATENT / 8, 1));
            outQue_.EnQue(out);
            out = outQue_.DeQue<float>();
            DataCopy(y_[(batch * HEADS + GetSubBlockIdx() * HALF) * LATENT], out, HALF * LATENT);
            outQue_.FreeTensor(out);
        }
    }

private:
    __aicore__ inline void Weigh(uint32_t live, Bridges &bridges)
    {
        LocalTensor<float> rows = rowBuf_.Get<float>();
        LocalTensor<float> most = rows, total = rows[HALF], next = rows[2 * HALF], shrink = rows[3 * HALF];
        LocalTensor<float> part = rows[4 * HALF];
        LocalTensor<float> wide = wideBuf_.Get<float>();
        const UnaryRepeatParams unary(1, 1, KEYS / 8, KEYS / 8);
        CrossCoreWaitFlag(SCORES_READY);
        LocalTensor<float> s = scoreQue_.AllocTensor<float>();
        DataCopyExtParams in{HALF, static_cast<uint32_t>(live * sizeof(float)),
                             static_cast<uint32_t>((KEYS - live) * sizeof(float)), KEYS / 8 - (live + 7) / 8, 0};
        DataCopyPad(s, bridges.scores[GetSubBlockIdx() * HALF * KEYS], in, DataCopyPadExtParams<float>{});
        scoreQue_.EnQue(s);
        s = scoreQue_.DeQue<float>();
        Muls(s, s, scale_, static_cast<uint64_t>(live), HALF, unary);
        WholeReduceMax<float>(part, s, live, HALF, 1, 1, KEYS / 8, ReduceOrder::ORDER_ONLY_VALUE);
        Max(next, most, part, HALF);
        Brcb(wide, next, HALF / 8, BrcbRepeatParams(1, 8));
        Sub(s, s, wide, live, HALF, BinaryRepeatParams(1, 1, 0, KEYS / 8, KEYS / 8, 1));
        Exp(s, s, static_cast<uint64_t>(live), HALF, unary);
        Sub(shrink, most, next, HALF);
        Exp(shrink, shrink, HALF);
        WholeReduceSum<float>(part, s, live, HALF, 1, 1, KEYS / 8);
        Mul(total, total, shrink, HALF);
        Add(total, total, part, HALF);
        Adds(most, next, 0.0f, HALF);
        LocalTensor<half> p = weightQue_.AllocTensor<half>();
        Cast(p, s, RoundMode::CAST_RINT, static_cast<uint64_t>(live), HALF,
             UnaryRepeatParams(1, 1, KEYS / 16, KEYS / 8));
        scoreQue_.FreeTensor(s);
        weightQue_.EnQue(p);
        p = weightQue_.DeQue<half>();
        DataCopyExtParams out{HALF, static_cast<uint32_t>(live * sizeof(half)), KEYS / 16 - (live + 15) / 16,
                              static_cast<uint32_t>((KEYS - live) * sizeof(half)), 0};
        DataCopyPad(bridges.weights[GetSubBlockIdx() * HALF * KEYS], p, out);
        CrossCoreSetFlag<2, PIPE_MTE3>(WEIGHTS_READY);
        weightQue_.FreeTensor(p);
    }
    __aicore__ inline void Collect(Bridges &bridges)
    {
        LocalTensor<float> wide = wideBuf_.Get<float>();
        LocalTensor<float> sum = sumBuf_.Get<float>();
        CrossCoreWaitFlag(RESULTS_READY);
        LocalTensor<float> o = resultQue_.AllocTensor<float>();
        DataCopy(o, bridges.results[GetSubBlockIdx() * HALF * LATENT], HALF * LATENT);
        resultQue_.EnQue(o);
        o = resultQue_.DeQue<float>();
        Brcb(wide, rowBuf_.Get<float>()[3 * HALF], HALF / 8, BrcbRepeatParams(1, 8));
        Mul(sum, sum, wide, LATENT, HALF, BinaryRepeatParams(1, 1, 0, LATENT / 8, LATENT / 8, 1));
        Add(sum, sum, o, HALF * LATENT);
        resultQue_.FreeTensor(o);
    }

    float scale_;
    GlobalTensor<float> y_;
    TQue<TPosition::VECIN, 1> scoreQue_, resultQue_;
    TQue<TPosition::VECOUT, 1> weightQue_, outQue_;
    TBuf<TPosition::VECCALC> sumBuf_, rowBuf_, wideBuf_;
};

// a2lint: launch(block_dim=2, q=half[3, 16, 80], cache=half[3, 20, 80], lengths=int[3], y=float[3, 16, 64], s=float[2, 16, 32], p=half[2, 16, 32], o=float[2, 16, 64], batches=3, longest=20, scale=0.125)
extern "C" __global__ __aicore__ void mla_decode(GM_ADDR q, GM_ADDR cache, GM_ADDR lengths, GM_ADDR y, GM_ADDR s,
                                                 GM_ADDR p, GM_ADDR o, uint32_t batches, uint32_t longest, float scale)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    if ASCEND_IS_AIC {
        Bridges bridges(lengths, s, p, o, longest, GetBlockIdx());
        LatentProducts products;
        products.Init(q, cache, &pipe);
        products.Process(batches, bridges);
    }
    if ASCEND_IS_AIV {
        Bridges bridges(lengths, s, p, o, longest, GetBlockIdx() / GetSubBlockNum());
        LatentSoftmax softmax;
        softmax.Init(y, scale, &pipe);
        softmax.Process(batches, bridges);
    }
}
