// A mask that is set on one path alone is not known afterwards; one that each path sets anew is.
#include "kernel_operator.h"
using namespace AscendC;

template <bool resets> class Shift {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y)
    {
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 2048, 2048);
        to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 2048, 2048);
        TPipe pipe;
        TBuf<> first, second;
        pipe.InitBuffer(first, 8192);
        pipe.InitBuffer(second, 8192);
        LocalTensor<float> a = first.Get<float>();
        LocalTensor<float> c = second.Get<float>();
        DataCopy(a, from, 2048);
        PipeBarrier<PIPE_ALL>();
        SetMaskNorm();
        if (GetBlockIdx() == 0) {
            SetVectorMask<float, MaskMode::NORMAL>(0, 0xff);
        }
        if constexpr (resets) {
            SetVectorMask<float, MaskMode::NORMAL>(0, 0xffffffffffffffff);
        }
        Adds<float, false>(c, a, 1.0f, MASK_PLACEHOLDER, 32, {1, 1, 8, 8});
        ResetMask();
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, c, 2048);
    }
};

// a2lint: launch(block_dim=2, x=float[4096], y=float[4096])
extern "C" __global__ __aicore__ void one_arm(GM_ADDR x, GM_ADDR y) //~ VERDICT one_arm.initialised: undecided
{
    Shift<false> op;
    op.Process(x, y);
}

// a2lint: launch(block_dim=2, x=float[4096], y=float[4096])
extern "C" __global__ __aicore__ void set_anew(GM_ADDR x, GM_ADDR y) //~ VERDICT set_anew.initialised: proved-if x is at least
{
    Shift<true> op;
    op.Process(x, y);
}
