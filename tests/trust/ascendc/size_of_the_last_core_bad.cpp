// The buffers of the last core are smaller, and its work is as large as that of the others.
#include "kernel_operator.h"
using namespace AscendC;

class Scaled {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t rowsOfLast)
    {
        rows_ = rows;
        if (GetBlockIdx() == GetBlockNum() - 1) {
            rows_ = rowsOfLast;
        }
        gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * rows * 64);
        gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * rows * 64);
        pipe.InitBuffer(in, 1, rows_ * 64 * sizeof(float));
        pipe.InitBuffer(out, 1, rows_ * 64 * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx, rows_ * 64);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, 3.0f, 320);  //~ ERROR operand-overrun: Muls
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy, b, rows_ * 64);
        out.FreeTensor(b);
    }

private:
    TPipe pipe;
    uint32_t rows_;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<float> gx, gy;
};

// a2lint: launch(block_dim=3, rows=5, rowsOfLast=2, x=float[768], y=float[768])
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t rowsOfLast)
{
    Scaled op;
    op.Init(x, y, rows, rowsOfLast);
    op.Process();
}
