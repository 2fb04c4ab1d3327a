// Two activations with a common base class: it owns pipe, queues and loop, and calls what the derived class overrides.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 192;

class Activation {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t length)
    {
        length_ = length;
        x_.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * length, length);
        y_.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * length, length);
        pipe_.InitBuffer(in_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(out_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(one_, TILE * sizeof(float));
        Duplicate(one_.Get<float>(), 1.0f, TILE);
    }
    __aicore__ inline void Process()
    {
        uint32_t at = 0;
        while (at + TILE <= length_) {
            Step(at, TILE);
            at += TILE;
        }
        if (at < length_) {
            Step(at, length_ - at);
        }
    }

protected:
    __aicore__ virtual void Apply(LocalTensor<float>& y, LocalTensor<float>& x, uint32_t n) = 0;

    TBuf<TPosition::VECCALC> one_;

private:
    __aicore__ inline void Step(uint32_t at, uint32_t n)
    {
        DataCopyExtParams copy(1, n * sizeof(float), 0, 0, 0);
        DataCopyPadExtParams<float> pad(false, 0, 0, 0.0f);
        LocalTensor<float> x = in_.AllocTensor<float>();
        DataCopyPad(x, x_[at], copy, pad);
        in_.EnQue<float>(x);
        x = in_.DeQue<float>();
        LocalTensor<float> y = out_.AllocTensor<float>();
        Apply(y, x, n);
        in_.FreeTensor<float>(x);
        out_.EnQue<float>(y);
        y = out_.DeQue<float>();
        DataCopyPad(y_[at], y, copy);
        out_.FreeTensor<float>(y);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> x_, y_;
    uint32_t length_ = 0;
};

class SigmoidOf : public Activation {
protected:
    __aicore__ void Apply(LocalTensor<float>& y, LocalTensor<float>& x, uint32_t n) override
    {
        Muls(y, x, -1.0f, n);
        Exp(y, y, n);
        Adds(y, y, 1.0f, n);
        Div(y, one_.Get<float>(), y, n);
    }
};

class SoftSign final : public Activation {
protected:
    __aicore__ void Apply(LocalTensor<float>& y, LocalTensor<float>& x, uint32_t n) override
    {
        Abs(y, x, n);
        Add(y, y, one_.Get<float>(), n);
        Div(y, x, y, n);
    }
};

// a2lint: launch(block_dim=2, x=float[1000], y=float[1000], length=500)
extern "C" __global__ __aicore__ void sigmoid_family(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    SigmoidOf op;
    op.Init(x, y, length);
    op.Process();
}

// a2lint: launch(block_dim=2, x=float[1000], y=float[1000], length=500)
extern "C" __global__ __aicore__ void soft_sign(GM_ADDR x, GM_ADDR y, uint32_t length)
{
    SoftSign op;
    op.Init(x, y, length);
    op.Process();
}
