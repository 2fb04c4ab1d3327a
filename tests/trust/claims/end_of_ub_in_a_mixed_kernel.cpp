// A kernel on cube and vec cores keeps the last 256 bytes of UB for messages between them.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

template <uint32_t REST>
__aicore__ inline void Scale(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> rest;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(rest, REST); //~ WARNING ub-overflow: keeps the last 256
    LocalTensor<float> ones = rest.Get<float>();
    Duplicate(ones, 1.0f, WIDTH);
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum() * 2) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Add(b, a, ones, WIDTH);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], workspace=float[64], rows=5)
extern "C" __global__ __aicore__ void to_the_end(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t rows)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        return;
    }
    Scale<196608 - 1024>(x, y, rows);
}

// a2lint: launch(block_dim=2, x=float[320], y=float[320], workspace=float[64], rows=5)
extern "C" __global__ __aicore__ void but_for_256_bytes(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t rows)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        return;
    }
    Scale<196608 - 1024 - 256>(x, y, rows);
}
