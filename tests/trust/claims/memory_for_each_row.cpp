// A TPipe takes nothing back: InitBuffer in a loop takes more of UB in each iteration.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void for_each_row(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        TBuf<> twice;
        pipe.InitBuffer(twice, WIDTH * sizeof(float)); //~ PARTLY: each iteration of a loop takes more memory for `twice`
        LocalTensor<float> t = twice.Get<float>();
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Add(t, a, a, WIDTH);
        Add(b, t, t, WIDTH);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
}
