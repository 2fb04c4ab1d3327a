// A launch gives extents and no contents. What drawn contents decide is no fault of the kernel: it is left undecided.
// What holds for any contents is a fault as before.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROW = 64;

__aicore__ inline void MoveRow(GlobalTensor<float> &to, GlobalTensor<float> &from, TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> &rows)
{
    LocalTensor<float> row = rows.AllocTensor<float>();
    DataCopy(row, from, ROW);
    rows.EnQue(row);
    row = rows.DeQue<float>();
    DataCopy(to, row, ROW);
    rows.FreeTensor(row);
}

// Memory says how many rows there are.
//~ VERDICT counted.ownership: undecided
// a2lint: launch(block_dim=1, src=float[16, 64], count=int[1], dst=float[16, 64])
extern "C" __global__ __aicore__ void counted(GM_ADDR src, GM_ADDR count, GM_ADDR dst)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 2, ROW * sizeof(float));
    GlobalTensor<int32_t> counts;
    counts.SetGlobalBuffer((__gm__ int32_t *)count);
    int32_t limit = counts.GetValue(0);
    if (limit > 16) {
        limit = 16;
    }
    for (int32_t at = 0; at < limit; at++) {
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer((__gm__ float *)src + at * ROW, ROW);
        to.SetGlobalBuffer((__gm__ float *)dst + at * ROW, ROW);
        MoveRow(to, from, rows);
    }
}

// Each row goes to a place of its own, which memory names.
// a2lint: launch(block_dim=2, src=float[12, 64], places=int[12], dst=float[12, 64], rows=12)
extern "C" __global__ __aicore__ void scattered(GM_ADDR src, GM_ADDR places, GM_ADDR dst, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 2, ROW * sizeof(float));
    GlobalTensor<float> all, out;
    GlobalTensor<int32_t> place;
    all.SetGlobalBuffer((__gm__ float *)src);
    out.SetGlobalBuffer((__gm__ float *)dst);
    place.SetGlobalBuffer((__gm__ int32_t *)places);
    for (uint32_t at = GetBlockIdx(); at < rows; at += GetBlockNum()) {
        int32_t to = place.GetValue(at);
        LocalTensor<float> row = queue.AllocTensor<float>();
        DataCopy(row, all[at * ROW], ROW);
        queue.EnQue(row);
        row = queue.DeQue<float>();
        DataCopy(out[to * ROW], row, ROW);
        queue.FreeTensor(row);
    }
}

// The same without a launch: the places are guessed.
extern "C" __global__ __aicore__ void scattered_anywhere(GM_ADDR src, GM_ADDR places, GM_ADDR dst, uint32_t rows)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 2, ROW * sizeof(float));
    GlobalTensor<float> all, out;
    GlobalTensor<int32_t> place;
    all.SetGlobalBuffer((__gm__ float *)src);
    out.SetGlobalBuffer((__gm__ float *)dst);
    place.SetGlobalBuffer((__gm__ int32_t *)places);
    for (uint32_t at = GetBlockIdx(); at < rows; at += GetBlockNum()) {
        int32_t to = place.GetValue(at);
        LocalTensor<float> row = queue.AllocTensor<float>();
        DataCopy(row, all[at * ROW], ROW);
        queue.EnQue(row);
        row = queue.DeQue<float>();
        DataCopy(out[to * ROW], row, ROW);
        queue.FreeTensor(row);
    }
}

// Rows of a group begin where those of the group before end, and the ends grow.
//~ VERDICT grouped.bounds: undecided
// a2lint: launch(block_dim=1, src=float[40, 64], ends=int64[5], dst=float[40, 64], groups=5)
extern "C" __global__ __aicore__ void grouped(GM_ADDR src, GM_ADDR ends, GM_ADDR dst, uint32_t groups)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 2, ROW * sizeof(float));
    GlobalTensor<float> all, out;
    GlobalTensor<int64_t> end;
    all.SetGlobalBuffer((__gm__ float *)src);
    out.SetGlobalBuffer((__gm__ float *)dst);
    end.SetGlobalBuffer((__gm__ int64_t *)ends);
    int64_t begin = 0;
    for (uint32_t group = 0; group < groups; group++) {
        int64_t stop = end.GetValue(group);
        for (int64_t at = begin; at < stop; at++) {
            LocalTensor<float> row = queue.AllocTensor<float>();
            DataCopy(row, all[at * ROW], ROW);
            queue.EnQue(row);
            row = queue.DeQue<float>();
            DataCopy(out[at * ROW], row, ROW);
            queue.FreeTensor(row);
        }
        begin = stop;
    }
}

// Counts of experts in UB, by the numbers of experts in memory.
// a2lint: launch(block_dim=1, expert=int[24], dst=int[8], tokens=24)
extern "C" __global__ __aicore__ void counted_experts(GM_ADDR expert, GM_ADDR dst, uint32_t tokens)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> room;
    pipe.InitBuffer(room, 32);
    LocalTensor<int32_t> counts = room.Get<int32_t>();
    GlobalTensor<int32_t> experts, out;
    experts.SetGlobalBuffer((__gm__ int32_t *)expert);
    out.SetGlobalBuffer((__gm__ int32_t *)dst);
    for (uint32_t e = 0; e < 8; e++) {
        counts.SetValue(e, 0);
    }
    for (uint32_t token = 0; token < tokens; token++) {
        int32_t e = experts.GetValue(token);
        counts.SetValue(e, counts.GetValue(e) + 1);
    }
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    DataCopy(out, counts, 8);
}

// However many rows there are, the store of each does not wait for its load.
// a2lint: launch(block_dim=1, src=float[16, 64], count=int[1], dst=float[16, 64])
extern "C" __global__ __aicore__ void never_in_order(GM_ADDR src, GM_ADDR count, GM_ADDR dst)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> room;
    pipe.InitBuffer(room, ROW * sizeof(float));
    LocalTensor<float> row = room.Get<float>();
    GlobalTensor<float> from, to;
    GlobalTensor<int32_t> counts;
    from.SetGlobalBuffer((__gm__ float *)src);
    to.SetGlobalBuffer((__gm__ float *)dst);
    counts.SetGlobalBuffer((__gm__ int32_t *)count);
    int32_t limit = counts.GetValue(0) + 6;
    for (int32_t at = 0; at < limit; at++) {
        DataCopy(row, from, ROW);
        DataCopy(to, row, ROW);  //~ ERROR race
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
}

// The factor comes from memory, the place and the length do not.
// a2lint: launch(block_dim=1, src=float[64], factor=float[1], dst=float[64])
extern "C" __global__ __aicore__ void scaled_too_far(GM_ADDR src, GM_ADDR factor, GM_ADDR dst)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> room;
    pipe.InitBuffer(room, ROW * sizeof(float));
    LocalTensor<float> row = room.Get<float>();
    GlobalTensor<float> from, to, factors;
    from.SetGlobalBuffer((__gm__ float *)src);
    to.SetGlobalBuffer((__gm__ float *)dst);
    factors.SetGlobalBuffer((__gm__ float *)factor);
    float by = factors.GetValue(0);
    DataCopy(row, from, ROW);
    PipeBarrier<PIPE_ALL>();
    Muls(row, row, by, 2 * ROW);  //~ ERROR operand-overrun
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, row, ROW);
}
