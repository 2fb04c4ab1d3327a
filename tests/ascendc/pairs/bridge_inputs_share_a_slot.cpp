//+// The cube computes the inputs of the next chunk into the slot that the vec cores still read.
// The cube computes the inputs of the next chunk into the other slot.//-
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t STEPS = 16, IN = 32, STATE = 128, OUT = 32, PART = STATE / 2;
constexpr uint32_t SLOT = STEPS * STATE;
constexpr uint16_t INPUTS_READY = 3, STATES_READY = 4;

struct Sequence {
    uint32_t batches;
    uint32_t length;

    __aicore__ inline uint32_t Chunks() const { return (length + STEPS - 1) / STEPS; }
    __aicore__ inline uint32_t Live(uint32_t chunk) const
    {
        return length - chunk * STEPS < STEPS ? length - chunk * STEPS : STEPS;
    }
};

class ScanCube {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR v, GM_ADDR y, GM_ADDR u, GM_ADDR h, TPipe *pipe)
    {
        x_.SetGlobalBuffer((__gm__ half *)x);
        w_.SetGlobalBuffer((__gm__ half *)w);
        v_.SetGlobalBuffer((__gm__ half *)v);
        y_.SetGlobalBuffer((__gm__ float *)y);
        u_.SetGlobalBuffer((__gm__ float *)u + GetBlockIdx() * 2 * SLOT);
        h_.SetGlobalBuffer((__gm__ half *)h + GetBlockIdx() * 2 * SLOT);
        pipe->InitBuffer(a1_, 2, SLOT * sizeof(half));
        pipe->InitBuffer(b1_, 1, IN * STATE * sizeof(half));
        pipe->InitBuffer(a2_, 2, SLOT * sizeof(half));
        pipe->InitBuffer(b2_, 2, IN * STATE * sizeof(half));
        pipe->InitBuffer(c_, 2, SLOT * sizeof(float));
    }
    __aicore__ inline void Process(const Sequence &sequence)
    {
        LoadRight(w_, IN, STATE);
        LoadRight(v_, STATE, OUT);
        LocalTensor<half> w = b2_.DeQue<half>();
        LocalTensor<half> v = b2_.DeQue<half>();
        uint32_t slot = 0;
        for (uint32_t batch = GetBlockIdx(); batch < sequence.batches; batch += GetBlockNum()) {
            const uint32_t first = batch * sequence.length;
            const uint32_t chunks = sequence.Chunks();
            if (chunks > 0) {
                Inputs(w, first, sequence.Live(0), slot);
            }
            for (uint32_t chunk = 0; chunk < chunks; chunk++) {
                if (chunk + 1 < chunks) {
                    Inputs(w, first + (chunk + 1) * STEPS, sequence.Live(chunk + 1), slot ^ 1);
                }
                CrossCoreWaitFlag(STATES_READY);
                const uint32_t live = sequence.Live(chunk);
                LoadLeft(h_[slot * SLOT], live, STATE);
                Multiply(v, y_[(first + chunk * STEPS) * OUT], live, OUT, STATE);
                slot ^= 1;
            }
        }
        b2_.FreeTensor(w);
        b2_.FreeTensor(v);
    }

private:
    __aicore__ inline void Inputs(const LocalTensor<half> &w, uint32_t step, uint32_t live, uint32_t slot)
    {
        LoadLeft(x_[step * IN], live, IN);
//+        Multiply(w, u_[0], live, STATE, IN);
        Multiply(w, u_[slot * SLOT], live, STATE, IN);//-
        CrossCoreSetFlag<2, PIPE_FIX>(INPUTS_READY);
    }
    // A right operand comes as rows of its depth, and stays for the whole kernel.
    __aicore__ inline void LoadRight(const GlobalTensor<half> &from, uint16_t depth, uint16_t columns)
    {
        LocalTensor<half> b1 = b1_.AllocTensor<half>();
        DataCopy(b1, from, Nd2NzParams{1, depth, columns, 0, columns, depth, 1, 0});
        b1_.EnQue(b1);
        b1 = b1_.DeQue<half>();
        LocalTensor<half> b2 = b2_.AllocTensor<half>();
        for (uint32_t at = 0; at < depth / 16; at++) {
            LoadData2DParams fractals;
            fractals.repeatTimes = columns / 16;
            fractals.srcStride = depth / 16;
            fractals.ifTranspose = true;
            LoadData(b2[at * columns * 16], b1[at * 256], fractals);
        }
        b2_.EnQue(b2);
        b1_.FreeTensor(b1);
    }
    __aicore__ inline void LoadLeft(const GlobalTensor<half> &from, uint32_t live, uint16_t depth)
    {
        LocalTensor<half> a1 = a1_.AllocTensor<half>();
        DataCopy(a1, from, Nd2NzParams{1, static_cast<uint16_t>(live), depth, 0, depth, STEPS, 1, 0});
        a1_.EnQue(a1);
        a1 = a1_.DeQue<half>();
        LocalTensor<half> a2 = a2_.AllocTensor<half>();
        LoadData(a2, a1, LoadData2DParams{0, static_cast<uint8_t>(depth / 16), 1, 0, 0, false, 0});
        a2_.EnQue(a2);
        a1_.FreeTensor(a1);
    }
    __aicore__ inline void Multiply(const LocalTensor<half> &right, const GlobalTensor<float> &to, uint32_t live,
                                    uint16_t columns, uint16_t depth)
    {
        LocalTensor<half> left = a2_.DeQue<half>();
        LocalTensor<float> c = c_.AllocTensor<float>();
        // All steps of a chunk, because a product of one row takes its operand as one row of memory.
        Mmad(c, left, right, MmadParams{STEPS, columns, depth, 0, false, true});
        a2_.FreeTensor(left);
        c_.EnQue(c);
        c = c_.DeQue<float>();
        Fixpipe(to, c, FixpipeParamsV220{columns, static_cast<uint16_t>(live), STEPS, columns, false});
        c_.FreeTensor(c);
    }

    GlobalTensor<half> x_, w_, v_, h_;
    GlobalTensor<float> y_, u_;
    TQue<TPosition::A1, 1> a1_;
    TQue<TPosition::B1, 1> b1_;
    TQue<TPosition::A2, 1> a2_;
    TQue<TPosition::B2, 2> b2_;
    TQue<TPosition::CO1, 1> c_;
};

class ScanVec {
public:
    __aicore__ inline void Init(GM_ADDR g, GM_ADDR u, GM_ADDR h, TPipe *pipe)
    {
        const uint32_t core = GetBlockIdx() / 2;
        const uint32_t column = GetSubBlockIdx() * PART;
        g_.SetGlobalBuffer((__gm__ float *)g + column);
        u_.SetGlobalBuffer((__gm__ float *)u + core * 2 * SLOT + column);
        h_.SetGlobalBuffer((__gm__ half *)h + core * 2 * SLOT + column);
        pipe->InitBuffer(inputs_, 2, STEPS * PART * sizeof(float));
        pipe->InitBuffer(gates_, 2, STEPS * PART * sizeof(float));
        pipe->InitBuffer(states_, 2, STEPS * PART * sizeof(half));
        pipe->InitBuffer(state_, PART * sizeof(float));
    }
    __aicore__ inline void Process(const Sequence &sequence)
    {
        LocalTensor<float> state = state_.Get<float>();
        uint32_t slot = 0;
        for (uint32_t batch = GetBlockIdx() / 2; batch < sequence.batches; batch += GetBlockNum()) {
            Duplicate(state, 0.0f, PART);
            for (uint32_t chunk = 0; chunk < sequence.Chunks(); chunk++) {
                const uint32_t live = sequence.Live(chunk);
                Load(gates_, g_[(batch * sequence.length + chunk * STEPS) * STATE], live);
                CrossCoreWaitFlag(INPUTS_READY);
//+                Load(inputs_, u_[0], live);
                Load(inputs_, u_[slot * SLOT], live);//-
                Steps(state, live);
                LocalTensor<half> states = states_.DeQue<half>();
                DataCopyParams rows(live, PART / 16, 0, (STATE - PART) / 16);
                DataCopy(h_[slot * SLOT], states, rows);
                CrossCoreSetFlag<2, PIPE_MTE3>(STATES_READY);
                states_.FreeTensor(states);
                slot ^= 1;
            }
        }
    }

private:
    __aicore__ inline void Load(TQue<TPosition::VECIN, 1> &queue, const GlobalTensor<float> &from, uint32_t live)
    {
        LocalTensor<float> to = queue.AllocTensor<float>();
//+        DataCopy(to, from, DataCopyParams(live, PART / 8, (STATE - PART) / 8, 0));  //~ order
        DataCopy(to, from, DataCopyParams(live, PART / 8, (STATE - PART) / 8, 0));//-
        queue.EnQue(to);
    }
    __aicore__ inline void Steps(const LocalTensor<float> &state, uint32_t live)
    {
        LocalTensor<float> gates = gates_.DeQue<float>();
        LocalTensor<float> inputs = inputs_.DeQue<float>();
        LocalTensor<half> states = states_.AllocTensor<half>();
        for (uint32_t step = 0; step < live; step++) {
            Mul(state, state, gates[step * PART], PART);
            Add(state, state, inputs[step * PART], PART);
            Cast(states[step * PART], state, RoundMode::CAST_RINT, PART);
        }
        states_.EnQue(states);
        gates_.FreeTensor(gates);
        inputs_.FreeTensor(inputs);
    }

    GlobalTensor<float> g_, u_;
    GlobalTensor<half> h_;
    TQue<TPosition::VECIN, 1> inputs_, gates_;
    TQue<TPosition::VECOUT, 1> states_;
    TBuf<TPosition::VECCALC> state_;
};

// a2lint: launch(block_dim=2, x=half[3, 40, 32], w=half[32, 128], v=half[128, 32], g=float[3, 40, 128], y=float[3, 40, 32], u=float[2, 2, 16, 128], h=half[2, 2, 16, 128], batches=3, length=40)
extern "C" __global__ __aicore__ void gated_scan(GM_ADDR x, GM_ADDR w, GM_ADDR v, GM_ADDR g, GM_ADDR y, GM_ADDR u,
                                                 GM_ADDR h, uint32_t batches, uint32_t length)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    const Sequence sequence{batches, length};
    if ASCEND_IS_AIC {
        ScanCube cube;
        cube.Init(x, w, v, y, u, h, &pipe);
        cube.Process(sequence);
    }
    if ASCEND_IS_AIV {
        ScanVec vec;
        vec.Init(g, u, h, &pipe);
        vec.Process(sequence);
    }
}
