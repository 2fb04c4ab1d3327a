// A reduction stores pairs of a value and its index unless it is told otherwise
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t R = 8, W = 64;

// a2lint: launch(block_dim=4, rows=32, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR y, int32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> qx;
    TQue<TPosition::VECOUT, 2> qy;
    TBuf<TPosition::VECCALC> tb;
    pipe.InitBuffer(qx, 2, R * W * sizeof(float));
    pipe.InitBuffer(qy, 2, R * W * sizeof(float));
    pipe.InitBuffer(tb, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, rows * W);
    gy.SetGlobalBuffer((__gm__ float*)y, rows * W);
    LocalTensor<float> top = tb.Get<float>();
    for (int32_t t = GetBlockIdx(); t < rows / R; t += GetBlockNum()) {
        LocalTensor<float> a = qx.AllocTensor<float>();
        DataCopy(a, gx[t * R * W], R * W);
        qx.EnQue(a);
        a = qx.DeQue<float>();
        LocalTensor<float> b = qy.AllocTensor<float>();
        WholeReduceMax(top, a, W, R, 1, 1, 8);
        Sub(b, a, top, W, R, {1, 1, 0, 8, 8, 0});  //~ ERROR scalars-unbroadcast: a reduction has stored pairs of a value and its index
        qy.EnQue(b);
        b = qy.DeQue<float>();
        DataCopy(gy[t * R * W], b, R * W);
        qx.FreeTensor(a);
        qy.FreeTensor(b);
    }
}
