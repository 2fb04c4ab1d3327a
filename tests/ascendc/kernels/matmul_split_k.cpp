// y += a @ b for bf16: each core takes a part of the depth and adds its sums to y in global memory.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 48, N = 32, PART = 64;

// a2lint: launch(block_dim=3, a=bfloat16[48, 192], b=bfloat16[192, 32], y=float[48, 32], depth=192)
extern "C" __global__ __aicore__ void matmul_split_k(GM_ADDR a, GM_ADDR b, GM_ADDR y, uint32_t depth)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    TPipe pipe;
    TBuf<TPosition::A1> a1Buf;
    TBuf<TPosition::B1> b1Buf;
    TBuf<TPosition::A2> a2Buf;
    TBuf<TPosition::B2> b2Buf;
    TBuf<TPosition::CO1> cBuf;
    pipe.InitBuffer(a1Buf, M * PART * sizeof(bfloat16_t));
    pipe.InitBuffer(b1Buf, PART * N * sizeof(bfloat16_t));
    pipe.InitBuffer(a2Buf, M * PART * sizeof(bfloat16_t));
    pipe.InitBuffer(b2Buf, PART * N * sizeof(bfloat16_t));
    pipe.InitBuffer(cBuf, M * N * sizeof(float));
    GlobalTensor<bfloat16_t> ga, gb;
    GlobalTensor<float> gy;
    uint32_t first = GetBlockIdx() * PART;
    if (first >= depth) {
        return;
    }
    uint32_t k = depth - first < PART ? depth - first : PART;
    uint32_t high = AlignUp(k, 16);
    ga.SetGlobalBuffer((__gm__ bfloat16_t *)a + first);
    gb.SetGlobalBuffer((__gm__ bfloat16_t *)b + first * N);
    gy.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<bfloat16_t> a1 = a1Buf.Get<bfloat16_t>();
    LocalTensor<bfloat16_t> b1 = b1Buf.Get<bfloat16_t>();
    LocalTensor<bfloat16_t> a2 = a2Buf.Get<bfloat16_t>();
    LocalTensor<bfloat16_t> b2 = b2Buf.Get<bfloat16_t>();
    LocalTensor<float> c = cBuf.Get<float>();
    Nd2NzParams load;
    load.ndNum = 1;
    load.nValue = M;
    load.dValue = k;
    load.srcDValue = depth;
    load.dstNzC0Stride = M;
    load.dstNzNStride = 1;
    DataCopy(a1, ga, load);
    load.nValue = k;
    load.dValue = N;
    load.srcDValue = N;
    load.dstNzC0Stride = high;
    DataCopy(b1, gb, load);
    event_t loaded = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_MTE1));
    SetFlag<HardEvent::MTE2_MTE1>(loaded);
    WaitFlag<HardEvent::MTE2_MTE1>(loaded);
    for (uint32_t i = 0; i < M / 16; i++) {
        LoadData(a2[i * 16 * high], a1[i * 256], LoadData2DParams(0, high / 16, M / 16, 0, 0, false, 0));
    }
    for (uint32_t i = 0; i < high / 16; i++) {
        LoadData(b2[i * 16 * N], b1[i * 256], LoadData2DParams(0, N / 16, high / 16, 0, 0, true, 0));
    }
    event_t split = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE1_M));
    SetFlag<HardEvent::MTE1_M>(split);
    WaitFlag<HardEvent::MTE1_M>(split);
    Mmad(c, a2, b2, MmadParams(M, N, k, 0, false, true));
    event_t summed = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::M_FIX));
    SetFlag<HardEvent::M_FIX>(summed);
    WaitFlag<HardEvent::M_FIX>(summed);
    SetAtomicAdd<float>();
    Fixpipe(gy, c, FixpipeParamsV220(N, M, M, N, false));
    SetAtomicNone();
}
