// counts[b] += 1 for each id: a table in UB that scalars fill, added up over the cores.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BINS = 64;

// a2lint: launch(block_dim=2, ids=int[512], counts=int[64], perCore=256)
extern "C" __global__ __aicore__ void histogram(GM_ADDR ids, GM_ADDR counts, int32_t perCore)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> idQueue;
    TQue<TPosition::VECOUT, 1> binQueue;
    pipe.InitBuffer(idQueue, 1, perCore * sizeof(int32_t));
    pipe.InitBuffer(binQueue, 1, BINS * sizeof(int32_t));
    GlobalTensor<int32_t> in, out;
    in.SetGlobalBuffer((__gm__ int32_t*)ids + GetBlockIdx() * perCore, perCore);
    out.SetGlobalBuffer((__gm__ int32_t*)counts, BINS);

    LocalTensor<int32_t> local = idQueue.AllocTensor<int32_t>();
    DataCopy(local, in, perCore);
    idQueue.EnQue(local);
    local = idQueue.DeQue<int32_t>();

    LocalTensor<int32_t> bins = binQueue.AllocTensor<int32_t>();
    Duplicate(bins, 0, BINS);
    SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    for (int32_t i = 0; i < perCore; i++) {
        int32_t bin = local.GetValue(i) & (BINS - 1);
        bins.SetValue(bin, bins.GetValue(bin) + 1);
    }
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    idQueue.FreeTensor(local);

    binQueue.EnQue(bins);
    bins = binQueue.DeQue<int32_t>();
    SetAtomicAdd<int32_t>();
    DataCopy(out, bins, BINS);
    SetAtomicNone();
    binQueue.FreeTensor(bins);
}
