// out[0] += sum of (a - b)^2: each core adds its own share to one zeroed element.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 512;

// a2lint: launch(block_dim=4, a=float[4, 512], b=float[4, 512], out=float[8])
extern "C" __global__ __aicore__ void squared_error(GM_ADDR a, GM_ADDR b, GM_ADDR out)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> aq, bq;
    TQue<TPosition::VECOUT, 1> sq;
    TBuf<TPosition::VECCALC> tmp;
    pipe.InitBuffer(aq, 1, N * sizeof(float));
    pipe.InitBuffer(bq, 1, N * sizeof(float));
    pipe.InitBuffer(sq, 1, 32);
    pipe.InitBuffer(tmp, N * sizeof(float));
    GlobalTensor<float> ga, gb, go;
    ga.SetGlobalBuffer((__gm__ float*)a + GetBlockIdx() * N, N);
    gb.SetGlobalBuffer((__gm__ float*)b + GetBlockIdx() * N, N);
    go.SetGlobalBuffer((__gm__ float*)out, 8);

    auto la = aq.AllocTensor<float>();
    DataCopy(la, ga, N);
    aq.EnQue(la);
    auto lb = bq.AllocTensor<float>();
    DataCopy(lb, gb, N);
    bq.EnQue(lb);

    la = aq.DeQue<float>();
    lb = bq.DeQue<float>();
    auto d = tmp.Get<float>();
    auto s = sq.AllocTensor<float>();
    Sub(d, la, lb, N);
    Mul(d, d, d, N);
    aq.FreeTensor(la);
    bq.FreeTensor(lb);
    Duplicate(s, 0.0f, 8);
    ReduceSum(s, d, d, N);
    sq.EnQue(s);

    s = sq.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopy(go, s, 8);
    SetAtomicNone();
    sq.FreeTensor(s);
}
