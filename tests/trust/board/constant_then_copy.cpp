// A tile of L1 is filled and then loaded in part, with or without a barrier of MTE2 between the two.
#include "kernel_operator.h"
using namespace AscendC;

enum Between { NOTHING, BARRIER, ALL };

template <Between BETWEEN>
__aicore__ inline void Product(__gm__ half *a, __gm__ half *b, __gm__ float *c)
{
    InitSocState();
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gc;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gc.SetGlobalBuffer(c);
    LocalTensor<half> a1(TPosition::A1, 0, 1024), b1(TPosition::B1, 2048, 4096);
    LocalTensor<half> a2(TPosition::A2, 0, 1024), b2(TPosition::B2, 0, 4096);
    LocalTensor<float> sum(TPosition::CO1, 0, 1024);
    InitConstValueParams<half> zeros{1, 64, 0, 0};
    Fill(a1, zeros);
    if constexpr (BETWEEN == BARRIER) {
        PipeBarrier<PIPE_MTE2>();
    }
    if constexpr (BETWEEN == ALL) {
        PipeBarrier<PIPE_ALL>();
    }
    // The last four rows keep the constant.
    DataCopy(a1, ga, Nd2NzParams{1, 12, 64, 0, 64, 16, 1, 0});  //~ ERROR race: no `PipeBarrier<PIPE_MTE2>()` orders them
    //~^ WARNING constant-under-copy: is loaded after it was filled
    DataCopy(b1, gb, Nd2NzParams{1, 64, 64, 0, 64, 64, 1, 0});
    SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    LoadData(a2, a1, LoadData2DParams{0, 4, 1, 0, 0, false, 0});
    LoadData(b2, b1, LoadData2DParams{0, 16, 1, 0, 0, false, 0});
    SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
    WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(sum, a2, b2, MmadParams{16, 64, 64, 0, false, true});
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    FixpipeParamsV220 store;
    store.nSize = 64;
    store.mSize = 16;
    store.srcStride = 16;
    store.dstStride = 64;
    Fixpipe(gc, sum, store);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=1, a=half[12, 64], b=half[64, 64], c=float[16, 64])
__global__ __cube__ void at_once(__gm__ half *a, __gm__ half *b, __gm__ float *c) { Product<NOTHING>(a, b, c); }

// a2lint: launch(block_dim=1, a=half[12, 64], b=half[64, 64], c=float[16, 64])
__global__ __cube__ void under_a_barrier(__gm__ half *a, __gm__ half *b, __gm__ float *c) { Product<BARRIER>(a, b, c); }

// a2lint: launch(block_dim=1, a=half[12, 64], b=half[64, 64], c=float[16, 64])
__global__ __cube__ void after_all(__gm__ half *a, __gm__ half *b, __gm__ float *c) { Product<ALL>(a, b, c); }
