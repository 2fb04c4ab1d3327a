// c = a @ b^T in bfloat16: rows of a come out of L1 as windows of one element, a tail of rows included; product and
// store hand sums over part by part.
#include "kernel_operator.h"
using namespace AscendC;

constexpr IsResetLoad3dConfig WINDOWS = {true, true};
constexpr uint32_t ROWS = 64, STEP = 32, N = 32, K = 64;

// a2lint: launch(block_dim=2, a=bfloat16[100, 64], b=bfloat16[32, 64], c=bfloat16[100, 32], rows=100)
extern "C" __global__ __aicore__ void matmul_windows(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t rows)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    TPipe pipe;
    TQue<TPosition::A1, 1> a1Q;
    TQue<TPosition::B1, 1> b1Q;
    TQue<TPosition::A2, 1> a2Q;
    TQue<TPosition::B2, 1> b2Q;
    TBuf<TPosition::CO1> cBuf;
    pipe.InitBuffer(a1Q, 2, ROWS * K * sizeof(bfloat16_t));
    pipe.InitBuffer(b1Q, 1, N * K * sizeof(bfloat16_t));
    pipe.InitBuffer(a2Q, 2, STEP * K * sizeof(bfloat16_t));
    pipe.InitBuffer(b2Q, 1, N * K * sizeof(bfloat16_t));
    pipe.InitBuffer(cBuf, STEP * N * sizeof(float));
    GlobalTensor<bfloat16_t> ga, gb, gc;
    ga.SetGlobalBuffer((__gm__ bfloat16_t *)a);
    gb.SetGlobalBuffer((__gm__ bfloat16_t *)b);
    gc.SetGlobalBuffer((__gm__ bfloat16_t *)c);
    LocalTensor<bfloat16_t> b1 = b1Q.AllocTensor<bfloat16_t>();
    DataCopy(b1, gb, Nd2NzParams(1, N, K, 0, K, N, 1, 0));
    b1Q.EnQue(b1);
    b1 = b1Q.DeQue<bfloat16_t>();
    LocalTensor<bfloat16_t> b2 = b2Q.AllocTensor<bfloat16_t>();
    LoadData(b2, b1, LoadData2DParams(0, N / 16 * (K / 16), 1, 0, 0, false, 0));
    b2Q.EnQue(b2);
    b1Q.FreeTensor(b1);
    b2 = b2Q.DeQue<bfloat16_t>();
    LocalTensor<float> sum = cBuf.Get<float>();
    for (uint32_t row = GetBlockIdx() * ROWS; row < rows; row += GetBlockNum() * ROWS) {
        uint32_t live = rows - row < ROWS ? rows - row : ROWS;
        uint16_t high = AlignUp(live, 16);
        LocalTensor<bfloat16_t> a1 = a1Q.AllocTensor<bfloat16_t>();
        Nd2NzParams load(1, static_cast<uint16_t>(live), K, 0, K, high, 1, 0);
        DataCopy(a1, ga[row * K], load);
        a1Q.EnQue(a1);
        a1 = a1Q.DeQue<bfloat16_t>();
        for (uint32_t first = 0; first < live; first += STEP) {
            uint32_t m = live - first < STEP ? live - first : STEP;
            LocalTensor<bfloat16_t> a2 = a2Q.AllocTensor<bfloat16_t>();
            LoadData3DParamsV2<bfloat16_t> window;
            window.l1H = high / 16;
            window.l1W = 16;
            window.channelSize = K;
            window.kExtension = K;
            window.mExtension = AlignUp(m, 16);
            window.mStartPt = first;
            window.padList[3] = 255;
            LoadData<bfloat16_t, WINDOWS>(a2, a1, window);
            a2Q.EnQue(a2);
            a2 = a2Q.DeQue<bfloat16_t>();
            MmadParams product;
            product.m = AlignUp(m, 16);
            product.n = N;
            product.k = K;
            product.unitFlag = 3;
            Mmad(sum, a2, b2, product);
            a2Q.FreeTensor(a2);
            FixpipeParamsV220 store;
            store.nSize = N;
            store.mSize = m;
            store.srcStride = AlignUp(m, 16);
            store.dstStride = N;
            store.quantPre = QuantMode_t::F322BF16;
            store.unitFlag = 3;
            Fixpipe(gc[(row + first) * N], sum, store);
        }
        a1Q.FreeTensor(a1);
    }
    b2Q.FreeTensor(b2);
}
