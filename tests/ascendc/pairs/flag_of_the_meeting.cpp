//+// The flag has an id that the meeting of all cores takes itself.
// A flag of its own, beside those of the meeting of all cores.//-
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr uint16_t OWN = 12;
constexpr uint16_t OWN = 3;//-
constexpr uint32_t M = 16, N = 16, K = 32;

// Rows of a @ b, then each vec core adds up one column of all of them.
// a2lint: launch(block_dim=2, a=half[2, 16, 32], b=half[32, 16], rows=float[32, 16], y=float[4, 16])
extern "C" __global__ __aicore__ void columns_after_products(GM_ADDR a, GM_ADDR b, GM_ADDR rows, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    GlobalTensor<float> gr, gy;
    gr.SetGlobalBuffer((__gm__ float *)rows);
    gy.SetGlobalBuffer((__gm__ float *)y);
    if ASCEND_IS_AIC {
        GlobalTensor<half> ga, gb;
        ga.SetGlobalBuffer((__gm__ half *)a + GetBlockIdx() * M * K);
        gb.SetGlobalBuffer((__gm__ half *)b);
        LocalTensor<half> a1(TPosition::A1, 0, M * K), b1(TPosition::B1, M * K * 2, K * N);
        LocalTensor<half> a2(TPosition::A2, 0, M * K), b2(TPosition::B2, 0, K * N);
        LocalTensor<float> sum(TPosition::CO1, 0, M * N);
        DataCopy(a1, ga, Nd2NzParams{1, M, K, 0, K, M, 1, 0});
        DataCopy(b1, gb, Nd2NzParams{1, K, N, 0, N, K, 1, 0});
        SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
        LoadData(a2, a1, LoadData2DParams{0, K / 16, 1, 0, 0, false, 0});
        for (uint32_t i = 0; i < K / 16; i++) {
            LoadData(b2[i * N * 16], b1[i * 256], LoadData2DParams{0, N / 16, K / 16, 0, 0, true, 0});
        }
        SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
        WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
        Mmad(sum, a2, b2, MmadParams{M, N, K, 0, false, true});
        SetFlag<HardEvent::M_FIX>(EVENT_ID0);
        WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
        Fixpipe(gr[GetBlockIdx() * M * N], sum, FixpipeParamsV220{N, M, M, N, false});
        SyncAll<false>();
//+        CrossCoreSetFlag<2, PIPE_FIX>(OWN);  //~ progress
        CrossCoreSetFlag<2, PIPE_FIX>(OWN);//-
    }
    if ASCEND_IS_AIV {
        LocalTensor<float> all(TPosition::VECIN, 0, 2 * M * N), total(TPosition::VECOUT, 4096, N);
        SyncAll<false>();
        CrossCoreWaitFlag(OWN);
        DataCopy(all, gr, 2 * M * N);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Duplicate(total, 0.0f, N);
        for (uint32_t i = 0; i < 2 * M; i++) {
            PipeBarrier<PIPE_V>();
            Add(total, total, all[i * N], N);
        }
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gy[GetBlockIdx() * N], total, N);
    }
    PipeBarrier<PIPE_ALL>();
}
