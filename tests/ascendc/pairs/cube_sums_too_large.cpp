//+// Three buffers of 64 KB do not fit into the 128 KB of L0C.
// The buffer of sums fits into L0C.//-
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, a=half[128, 512], b=half[512, 128], c=float[128, 128])
extern "C" __global__ __aicore__ void one_tile(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    constexpr uint32_t M = 128, N = 128, K = 512, STEP = 128;
    TPipe pipe;
    TQue<TPosition::A1, 1> a1Q;
    TQue<TPosition::B1, 1> b1Q;
    TQue<TPosition::A2, 1> a2Q;
    TQue<TPosition::B2, 1> b2Q;
    TQue<TPosition::CO1, 1> cQ;
    pipe.InitBuffer(a1Q, 1, M * K * sizeof(half));
    pipe.InitBuffer(b1Q, 1, K * N * sizeof(half));
    pipe.InitBuffer(a2Q, 2, M * STEP * sizeof(half));
    pipe.InitBuffer(b2Q, 2, STEP * N * sizeof(half));
//+    pipe.InitBuffer(cQ, 3, M * N * sizeof(float));  //~ capacity
    pipe.InitBuffer(cQ, 1, M * N * sizeof(float));//-
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer((__gm__ half *)a);
    gb.SetGlobalBuffer((__gm__ half *)b);
    gc.SetGlobalBuffer((__gm__ float *)c);
    LocalTensor<half> a1 = a1Q.AllocTensor<half>();
    LocalTensor<half> b1 = b1Q.AllocTensor<half>();
    DataCopy(a1, ga, Nd2NzParams(1, M, K, 0, K, M, 1, 0));
    DataCopy(b1, gb, Nd2NzParams(1, K, N, 0, N, K, 1, 0));
    a1Q.EnQue(a1);
    b1Q.EnQue(b1);
    a1 = a1Q.DeQue<half>();
    b1 = b1Q.DeQue<half>();
    LocalTensor<float> sum = cQ.AllocTensor<float>();
    for (uint32_t k = 0; k < K; k += STEP) {
        LocalTensor<half> a2 = a2Q.AllocTensor<half>();
        LocalTensor<half> b2 = b2Q.AllocTensor<half>();
        for (uint32_t i = 0; i < M / 16; i++) {
            LoadData(a2[i * STEP * 16], a1[k * M + i * 256], LoadData2DParams(0, STEP / 16, M / 16, 0, 0, false, 0));
        }
        for (uint32_t i = 0; i < STEP / 16; i++) {
            LoadData(b2[i * N * 16], b1[(k / 16 + i) * 256], LoadData2DParams(0, N / 16, K / 16, 0, 0, true, 0));
        }
        a2Q.EnQue(a2);
        b2Q.EnQue(b2);
        a2 = a2Q.DeQue<half>();
        b2 = b2Q.DeQue<half>();
        Mmad(sum, a2, b2, MmadParams(M, N, STEP, 0, false, k == 0));
        a2Q.FreeTensor(a2);
        b2Q.FreeTensor(b2);
    }
    a1Q.FreeTensor(a1);
    b1Q.FreeTensor(b1);
    cQ.EnQue(sum);
    sum = cQ.DeQue<float>();
    Fixpipe(gc, sum, FixpipeParamsV220(N, M, M, N, false));
    cQ.FreeTensor(sum);
}
