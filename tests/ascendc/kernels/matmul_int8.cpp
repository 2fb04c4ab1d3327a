// c = a @ b^T in int32 for batches of int8 matrices; static tensors, two buffers in turn, flags by hand.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t M = 32, N = 64, K = 96;
constexpr uint32_t A_BYTES = M * K, B_BYTES = N * K;

template <HardEvent e>
__aicore__ inline void Set(uint32_t id)
{
    SetFlag<e>(static_cast<event_t>(id));
}

template <HardEvent e>
__aicore__ inline void Wait(uint32_t id)
{
    WaitFlag<e>(static_cast<event_t>(id));
}

// a2lint: launch(block_dim=2, a=int8[5, 32, 96], b=int8[5, 64, 96], c=int[5, 32, 64], batches=5)
__global__ __cube__ void matmul_int8(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t batches)
{
    InitSocState();
    GlobalTensor<int8_t> ga, gb;
    GlobalTensor<int32_t> gc;
    ga.SetGlobalBuffer((__gm__ int8_t *)a);
    gb.SetGlobalBuffer((__gm__ int8_t *)b);
    gc.SetGlobalBuffer((__gm__ int32_t *)c);
    LocalTensor<int8_t> l1(TPosition::A1, 0, 2 * (A_BYTES + B_BYTES));
    LocalTensor<int8_t> l0a(TPosition::A2, 0, 2 * A_BYTES);
    LocalTensor<int8_t> l0b(TPosition::B2, 0, 2 * B_BYTES);
    LocalTensor<int32_t> l0c(TPosition::CO1, 0, 2 * M * N);
    for (uint32_t id = 0; id < 2; id++) {
        Set<HardEvent::MTE1_MTE2>(id);
        Set<HardEvent::M_MTE1>(id);
        Set<HardEvent::FIX_M>(id);
    }
    uint32_t round = 0;
    for (uint32_t i = GetBlockIdx(); i < batches; i += GetBlockNum()) {
        uint32_t id = round & 1;
        LocalTensor<int8_t> a1 = l1[id * (A_BYTES + B_BYTES)];
        LocalTensor<int8_t> b1 = l1[id * (A_BYTES + B_BYTES) + A_BYTES];
        Wait<HardEvent::MTE1_MTE2>(id);
        DataCopy(a1, ga[i * M * K], Nd2NzParams{1, M, K, 0, K, M, 1, 0});
        DataCopy(b1, gb[i * N * K], Nd2NzParams{1, N, K, 0, K, N, 1, 0});
        Set<HardEvent::MTE2_MTE1>(id);
        Wait<HardEvent::MTE2_MTE1>(id);
        Wait<HardEvent::M_MTE1>(id);
        for (uint32_t row = 0; row < M / 16; row++) {
            LoadData(l0a[id * A_BYTES + row * 16 * K], a1[row * 512], LoadData2DParams{0, K / 32, M / 16, 0, 0, false, 0});
        }
        LoadData(l0b[id * B_BYTES], b1, LoadData2DParams{0, N / 16 * (K / 32), 1, 0, 0, false, 0});
        Set<HardEvent::MTE1_MTE2>(id);
        Set<HardEvent::MTE1_M>(id);
        Wait<HardEvent::MTE1_M>(id);
        Wait<HardEvent::FIX_M>(id);
        Mmad(l0c[id * M * N], l0a[id * A_BYTES], l0b[id * B_BYTES], MmadParams{M, N, K, 0, false, true});
        Set<HardEvent::M_MTE1>(id);
        Set<HardEvent::M_FIX>(id);
        Wait<HardEvent::M_FIX>(id);
        Fixpipe(gc[i * M * N], l0c[id * M * N], FixpipeParamsV220{N, M, M, N, false});
        Set<HardEvent::FIX_M>(id);
        round++;
    }
    for (uint32_t id = 0; id < 2; id++) {
        Wait<HardEvent::MTE1_MTE2>(id);
        Wait<HardEvent::M_MTE1>(id);
        Wait<HardEvent::FIX_M>(id);
    }
    PipeBarrier<PIPE_ALL>();
}
