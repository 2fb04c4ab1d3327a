// The output tensor goes back to its queue before it is stored: the next tile may be computed over it.
#include "kernel_operator.h"
using namespace AscendC;

template <class Impl>
class Pipeline {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, int32_t tiles)
    {
        x_.SetGlobalBuffer((__gm__ float*)x, tiles * 256);
        y_.SetGlobalBuffer((__gm__ float*)y, tiles * 256);
        pipe_.InitBuffer(in_, 1, 256 * sizeof(float));
        pipe_.InitBuffer(out_, 1, 256 * sizeof(float));
        for (int32_t i = 0; i < tiles; i++) {
            LocalTensor<float> a = in_.AllocTensor<float>();
            DataCopy(a, x_[i * 256], 256);
            in_.EnQue(a);
            LocalTensor<float> src = in_.DeQue<float>();
            LocalTensor<float> dst = out_.AllocTensor<float>();
            static_cast<Impl*>(this)->Compute(dst, src);
            in_.FreeTensor(src);
            out_.EnQue(dst);
            LocalTensor<float> b = out_.DeQue<float>();
            DataCopy(y_[i * 256], b, 256);//-
            out_.FreeTensor(b);
//+            DataCopy(y_[i * 256], b, 256);  //~ order
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> in_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> x_, y_;
};

class Cube : public Pipeline<Cube> {
public:
    __aicore__ inline void Compute(LocalTensor<float>& y, const LocalTensor<float>& x)
    {
        Mul(y, x, x, 256);
        Mul(y, y, x, 256);
    }
};

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], tiles=4)
extern "C" __global__ __aicore__ void third_power(GM_ADDR x, GM_ADDR y, int32_t tiles)
{
    Cube op;
    op.Run(x, y, tiles);
}
