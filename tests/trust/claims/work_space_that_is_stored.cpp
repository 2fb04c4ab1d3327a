// The work space of ReduceMax is a tensor that MTE3 still stores: nothing orders the two.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

// a2lint: launch(block_dim=2, x=float[320], m=float[5], y=float[320], rows=5)
extern "C" __global__ __aicore__ void stored_meanwhile(GM_ADDR x, GM_ADDR m, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> twice, most;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(twice, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(most, 2, 32);
    GlobalTensor<float> xGm, mGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    mGm.SetGlobalBuffer((__gm__ float *)m);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = twice.AllocTensor<float>();
        LocalTensor<float> p = most.AllocTensor<float>();
        Muls(b, a, 2.0f, WIDTH);
        twice.EnQue(b);
        b = twice.DeQue<float>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        ReduceMax(p, a, b, WIDTH); //~ ERROR race: nothing orders MTE3→V
        twice.FreeTensor(b);
        in.FreeTensor(a);
        most.EnQue(p);
        p = most.DeQue<float>();
        DataCopyPad(mGm[row], p, {1, 4, 0, 0, 0});
        most.FreeTensor(p);
    }
}
