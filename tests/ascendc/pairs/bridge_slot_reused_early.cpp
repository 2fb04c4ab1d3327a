//+// The cube writes a slot again without knowing that both vec cores have read it.
// The cube writes a slot again after both vec cores have read it.//-
#include "kernel_operator.h"
using namespace AscendC;

namespace bridge {
constexpr uint32_t TM = 32, N = 64, K = 48, SLOT = TM * N;
constexpr uint16_t READY = 2, FREE = 4;
} // namespace bridge
using namespace bridge;

class Producer {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR w, GM_ADDR workspace, TPipe *pipe)
    {
        a_.SetGlobalBuffer((__gm__ half *)a);
        w_.SetGlobalBuffer((__gm__ half *)w);
        slots_.SetGlobalBuffer((__gm__ float *)workspace + GetBlockIdx() * 2 * SLOT);
        pipe->InitBuffer(a1_, 2, TM * K * sizeof(half));
        pipe->InitBuffer(w1_, 1, K * N * sizeof(half));
        pipe->InitBuffer(a2_, 1, TM * K * sizeof(half));
        pipe->InitBuffer(w2_, 1, K * N * sizeof(half));
        pipe->InitBuffer(c_, 2, SLOT * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t rows)
    {
        Weights();
        LocalTensor<half> w = w2_.DeQue<half>();
        uint32_t round = 0;
        for (uint32_t row = GetBlockIdx() * TM; row < rows; row += GetBlockNum() * TM) {
            uint32_t m = rows - row < TM ? rows - row : TM;
            LocalTensor<half> a = a1_.AllocTensor<half>();
            DataCopy(a, a_[row * K], Nd2NzParams{1, static_cast<uint16_t>(m), K, 0, K, TM, 1, 0});
            a1_.EnQue(a);
            a = a1_.DeQue<half>();
            LocalTensor<half> a2 = a2_.AllocTensor<half>();
            for (uint32_t i = 0; i < TM / 16; i++) {
                LoadData(a2[i * 16 * K], a[i * 256], LoadData2DParams{0, K / 16, TM / 16, 0, 0, false, 0});
            }
            a2_.EnQue(a2);
            a1_.FreeTensor(a);
            a2 = a2_.DeQue<half>();
            LocalTensor<float> c = c_.AllocTensor<float>();
            // A product of one row would take its left operand as it lies in memory.
            uint16_t high = (m + 15) / 16 * 16;
            Mmad(c, a2, w, MmadParams{high, N, K, 0, false, true});
            c_.EnQue(c);
            a2_.FreeTensor(a2);
            c = c_.DeQue<float>();
            if (round >= 2) {//-
                CrossCoreWaitFlag(FREE + (round & 1));//-
            }//-
            Fixpipe(slots_[(round & 1) * SLOT], c, FixpipeParamsV220{N, static_cast<uint16_t>(m), high, N, false});
            CrossCoreSetFlag<2, PIPE_FIX>(READY + (round & 1));
            c_.FreeTensor(c);
            round++;
        }
        w2_.FreeTensor(w);
        for (uint32_t last = round < 2 ? 0 : round - 2; last < round; last++) {//-
            CrossCoreWaitFlag(FREE + (last & 1));//-
        }//-
    }

private:
    __aicore__ inline void Weights()
    {
        LocalTensor<half> w = w1_.AllocTensor<half>();
        DataCopy(w, w_, Nd2NzParams{1, K, N, 0, N, K, 1, 0});
        w1_.EnQue(w);
        w = w1_.DeQue<half>();
        LocalTensor<half> w2 = w2_.AllocTensor<half>();
        for (uint32_t i = 0; i < K / 16; i++) {
            LoadData(w2[i * 16 * N], w[i * 256], LoadData2DParams{0, N / 16, K / 16, 0, 0, true, 0});
        }
        w2_.EnQue(w2);
        w1_.FreeTensor(w);
    }

    TQue<TPosition::A1, 1> a1_;
    TQue<TPosition::B1, 1> w1_;
    TQue<TPosition::A2, 1> a2_;
    TQue<TPosition::B2, 1> w2_;
    TQue<TPosition::CO1, 1> c_;
    GlobalTensor<half> a_, w_;
    GlobalTensor<float> slots_;
};

class Consumer {
public:
    __aicore__ inline void Init(GM_ADDR shift, GM_ADDR y, GM_ADDR workspace, TPipe *pipe)
    {
        slots_.SetGlobalBuffer((__gm__ float *)workspace + GetBlockIdx() / GetSubBlockNum() * 2 * SLOT);
        shift_.SetGlobalBuffer((__gm__ float *)shift);
        y_.SetGlobalBuffer((__gm__ float *)y);
        pipe->InitBuffer(in_, 2, SLOT / 2 * sizeof(float));
        pipe->InitBuffer(out_, 2, SLOT / 2 * sizeof(float));
        pipe->InitBuffer(bias_, 1, N * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t rows, float scale)
    {
        LocalTensor<float> shift = bias_.AllocTensor<float>();
        DataCopy(shift, shift_, N);
        bias_.EnQue(shift);
        shift = bias_.DeQue<float>();
        uint32_t round = 0;
        uint32_t group = GetBlockIdx() / GetSubBlockNum();
        for (uint32_t row = group * TM; row < rows; row += GetBlockNum() * TM) {
            uint32_t m = rows - row < TM ? rows - row : TM;
            uint32_t first = GetSubBlockIdx() * (TM / 2);
            uint32_t mine = m <= first ? 0 : (m - first < TM / 2 ? m - first : TM / 2);
            CrossCoreWaitFlag(READY + (round & 1));
            if (mine > 0) {
                LocalTensor<float> x = in_.AllocTensor<float>();
//+                DataCopy(x, slots_[(round & 1) * SLOT + first * N], mine * N);  //~ order
                DataCopy(x, slots_[(round & 1) * SLOT + first * N], mine * N);//-
                in_.EnQue(x);
            }
            CrossCoreSetFlag<2, PIPE_MTE2>(FREE + (round & 1));//-
            if (mine > 0) {
                Compute(shift, scale, mine);
                LocalTensor<float> out = out_.DeQue<float>();
                DataCopy(y_[(row + first) * N], out, mine * N);
                out_.FreeTensor(out);
            }
            round++;
        }
        bias_.FreeTensor(shift);
    }

private:
    __aicore__ inline void Compute(const LocalTensor<float> &shift, float scale, uint32_t mine)
    {
        LocalTensor<float> x = in_.DeQue<float>();
        LocalTensor<float> out = out_.AllocTensor<float>();
        Muls(out, x, scale, mine * N);
        for (uint32_t i = 0; i < mine; i++) {
            Add(out[i * N], out[i * N], shift, N);
        }
        out_.EnQue(out);
        in_.FreeTensor(x);
    }

    TQue<TPosition::VECIN, 1> in_, bias_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> slots_, shift_, y_;
};

// a2lint: launch(block_dim=2, a=half[150, 48], w=half[48, 64], shift=float[64], y=float[150, 64], workspace=float[8192], rows=150, scale=0.5)
extern "C" __global__ __aicore__ void product_epilogue(GM_ADDR a, GM_ADDR w, GM_ADDR shift, GM_ADDR y,
                                                       GM_ADDR workspace, uint32_t rows, float scale)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    if ASCEND_IS_AIC {
        Producer producer;
        producer.Init(a, w, workspace, &pipe);
        producer.Process(rows);
    }
    if ASCEND_IS_AIV {
        Consumer consumer;
        consumer.Init(shift, y, workspace, &pipe);
        consumer.Process(rows, scale);
    }
}
