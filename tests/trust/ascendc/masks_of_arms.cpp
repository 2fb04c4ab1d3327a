// The mask that a kernel leaves set: the same one from both arms, the lanes that each arm counts, a mask that is set
// before a loop or given back at its end.
#include "kernel_operator.h"
using namespace AscendC;

enum How { SAME, COUNTED, WORDS, FULL };

template <How how> class Row {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, uint32_t lanes)
    {
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
        to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
        TPipe pipe;
        TBuf<> first, second;
        pipe.InitBuffer(first, 256);
        pipe.InitBuffer(second, 256);
        LocalTensor<float> a = first.Get<float>();
        LocalTensor<float> c = second.Get<float>();
        DataCopy(a, from, 64);
        PipeBarrier<PIPE_ALL>();
        if constexpr (how == COUNTED) {
            Duplicate(c, 0.0f, 64);
        }
        PipeBarrier<PIPE_V>();
        if (lanes > 32) {
            if constexpr (how == WORDS) {
                SetVectorMask<float, MaskMode::NORMAL>(0, 0xffffffffffffffff);
            } else if constexpr (how == FULL) {
                ResetMask();
            } else {
                SetVectorMask<float, MaskMode::NORMAL>(64);
            }
        } else {
            if constexpr (how == COUNTED) {
                SetVectorMask<float, MaskMode::NORMAL>(lanes);
            } else if constexpr (how == FULL) {
                SetVectorMask<float, MaskMode::NORMAL>(0xffffffffffffffff, 0xffffffffffffffff);
            } else {
                SetVectorMask<float, MaskMode::NORMAL>(64);
            }
        }
        Adds<float, false>(c, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        ResetMask();
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, c, 64);
    }
};

// a2lint: launch(block_dim=2, x=float[128], y=float[128], lanes=20)
extern "C" __global__ __aicore__ void same(GM_ADDR x, GM_ADDR y, uint32_t lanes) //~ VERDICT same.initialised: proved-if x is at least
{
    Row<SAME> op;
    op.Process(x, y, lanes);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128], lanes=20)
extern "C" __global__ __aicore__ void counted(GM_ADDR x, GM_ADDR y, uint32_t lanes) //~ VERDICT counted.initialised: tested
{
    Row<COUNTED> op;
    op.Process(x, y, lanes);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128], lanes=20)
extern "C" __global__ __aicore__ void words(GM_ADDR x, GM_ADDR y, uint32_t lanes) //~ VERDICT words.initialised: proved-if x is at least
{
    Row<WORDS> op;
    op.Process(x, y, lanes);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128], lanes=20)
extern "C" __global__ __aicore__ void full(GM_ADDR x, GM_ADDR y, uint32_t lanes) //~ VERDICT full.initialised: proved-if x is at least
{
    Row<FULL> op;
    op.Process(x, y, lanes);
}

template <bool givesBack> class Rounds {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, uint32_t rounds)
    {
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
        to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
        TPipe pipe;
        TBuf<> first, second;
        pipe.InitBuffer(first, 256);
        pipe.InitBuffer(second, 256);
        LocalTensor<float> a = first.Get<float>();
        LocalTensor<float> c = second.Get<float>();
        DataCopy(a, from, 64);
        PipeBarrier<PIPE_ALL>();
        if constexpr (givesBack) {
            SetVectorMask<float, MaskMode::NORMAL>(0xffffffffffffffff, 0xffffffffffffffff);
            Duplicate<float, false>(c, 0.0f, MASK_PLACEHOLDER, 1, 1, 8);
        } else {
            Duplicate(c, 0.0f, 64);
            SetVectorMask<float, MaskMode::NORMAL>(0, 0xff);
        }
        for (uint32_t i = 0; i < rounds; i++) {
            PipeBarrier<PIPE_V>();
            Add<float, false>(c, c, a, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
            if constexpr (givesBack) {
                SetVectorMask<float, MaskMode::NORMAL>(0, 0xff);
                PipeBarrier<PIPE_V>();
                Muls<float, false>(c, c, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
                ResetMask();
            }
        }
        ResetMask();
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, c, 64);
    }
};

// a2lint: launch(block_dim=2, x=float[128], y=float[128], rounds=3)
extern "C" __global__ __aicore__ void before(GM_ADDR x, GM_ADDR y, uint32_t rounds) //~ VERDICT before.initialised: proved-if x is at least
{
    Rounds<false> op;
    op.Process(x, y, rounds);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128], rounds=3)
extern "C" __global__ __aicore__ void given_back(GM_ADDR x, GM_ADDR y, uint32_t rounds) //~ VERDICT given_back.initialised: proved-if x is at least
{
    Rounds<true> op;
    op.Process(x, y, rounds);
}
