// There is no cast from int8 to float: the way leads through half.
#include "kernel_operator.h"
using namespace AscendC;

template <typename From, typename To>
class Dequantise {
public:
    static constexpr uint32_t N = 256;

    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, float scale)
    {
        from_.SetGlobalBuffer((__gm__ From*)x, N);
        to_.SetGlobalBuffer((__gm__ To*)y, N);
        pipe_.InitBuffer(in_, 1, N * sizeof(From));
        pipe_.InitBuffer(out_, 1, N * sizeof(To));
        pipe_.InitBuffer(middle_, N * sizeof(half));
        LocalTensor<From> a = in_.template AllocTensor<From>();
        DataCopy(a, from_, N);
        in_.EnQue(a);
        a = in_.template DeQue<From>();
        LocalTensor<To> b = out_.template AllocTensor<To>();
//+        Cast(b, a, RoundMode::CAST_NONE, N);  //~ operands
        LocalTensor<half> h = middle_.template Get<half>();//-
        Cast(h, a, RoundMode::CAST_NONE, N);//-
        Cast(b, h, RoundMode::CAST_NONE, N);//-
        Muls(b, b, static_cast<To>(scale), N);
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.template DeQue<To>();
        DataCopy(to_, b, N);
        out_.FreeTensor(b);
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    TBuf<TPosition::VECCALC> middle_;
    GlobalTensor<From> from_;
    GlobalTensor<To> to_;
};

// a2lint: launch(block_dim=1, x=int8[256], y=float[256], scale=0.5)
extern "C" __global__ __aicore__ void dequantise(GM_ADDR x, GM_ADDR y, float scale)
{
    Dequantise<int8_t, float> op;
    op.Run(x, y, scale);
}
