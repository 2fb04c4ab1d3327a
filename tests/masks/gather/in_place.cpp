// Compaction in place, tails in Counter mode, the count handed to the caller.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline uint32_t compact(LocalTensor<int32_t> &ids, LocalTensor<uint32_t> &bits, uint32_t count) {
    uint64_t kept = 0;
    GatherMaskParams params{1, 1, 8, 0};
    GatherMask(ids, ids, bits, true, count, params, kept);
    PipeBarrier<PIPE_V>();
    return static_cast<uint32_t>(kept);
}

// a2lint: launch(block_dim=1, y=int[8])
extern "C" __global__ __aicore__ void in_place(GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> idsBuf;
    pipe.InitBuffer(idsBuf, 256);
    LocalTensor<int32_t> ids = idsBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> bitsBuf;
    pipe.InitBuffer(bitsBuf, 32);
    LocalTensor<uint32_t> bits = bitsBuf.Get<uint32_t>();
    Duplicate(ids, 1, 64);
    Duplicate(bits, 0xffu, 8);
    PipeBarrier<PIPE_ALL>();
    compact(ids, bits, 64);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<int32_t> gy;
    gy.SetGlobalBuffer((__gm__ int32_t*)y);
    DataCopy(gy, ids, 8);
}
