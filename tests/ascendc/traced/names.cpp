// One type by several names: with and without its namespace, deduced as a template, in a member that a template names.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T, template <typename U> typename To, template <typename U> typename From>
__aicore__ inline void Move(const To<T>& to, const From<T>& from, const AscendC::DataCopyExtParams& rows)
{
    if constexpr (std::is_same<To<T>, AscendC::LocalTensor<T>>::value) {
        AscendC::DataCopyPad(to, from, rows, DataCopyPadExtParams<T>{false, 0, 0, 0});
    } else {
        DataCopyPad(to, from, rows);
    }
}

class Rounder {
public:
    template <void (Rounder::*step)(AscendC::RoundMode)>
    __aicore__ inline void Do(RoundMode mode)
    {
        (this->*step)(mode);
    }
    __aicore__ inline void Round(RoundMode mode) { AscendC::Cast(to, from, mode, 64); }
    LocalTensor<float> from;
    AscendC::LocalTensor<float> to;
};

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void names(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    GlobalTensor<float> xGm;
    AscendC::GlobalTensor<float> yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x);
    yGm.SetGlobalBuffer((__gm__ float*)y);
    TQue<QuePosition::VECIN, 1> in;
    TQue<AscendC::TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    const DataCopyExtParams rows{1, 256, 0, 0, 0};
    Rounder rounder;
    rounder.from = in.AllocTensor<float>();
    Move(rounder.from, xGm, rows);
    in.EnQue(rounder.from);
    rounder.from = in.DeQue<float>();
    rounder.to = out.AllocTensor<float>();
    rounder.Do<&Rounder::Round>(AscendC::RoundMode::CAST_FLOOR);
    in.FreeTensor(rounder.from);
    out.EnQue(rounder.to);
    AscendC::LocalTensor<float> done = out.DeQue<float>();
    Move(yGm, done, rows);
    out.FreeTensor(done);
}
