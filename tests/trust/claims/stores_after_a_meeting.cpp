// A meeting of all cores orders what they store before it with what they store after it, and nothing else.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

__aicore__ inline void Load(LocalTensor<float> &tile, GM_ADDR src)
{
    GlobalTensor<float> from;
    from.SetGlobalBuffer((__gm__ float *)src + GetBlockIdx() * TILE, TILE);
    DataCopy(tile, from, TILE);
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=6, src=float[1536], dst=float[256])
extern "C" __global__ __aicore__ void same_place_after(GM_ADDR src, GM_ADDR dst)
{
    TPipe pipe;
    TBuf<> room;
    pipe.InitBuffer(room, TILE * sizeof(float));
    LocalTensor<float> tile = room.Get<float>();
    Load(tile, src);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)dst, TILE);
    SyncAll();
    DataCopy(to, tile, TILE);  //~ ERROR core-overlap
}

// a2lint: launch(block_dim=6, src=float[1536], dst=float[1536])
extern "C" __global__ __aicore__ void own_place_after(GM_ADDR src, GM_ADDR dst)
{
    TPipe pipe;
    TBuf<> room;
    pipe.InitBuffer(room, TILE * sizeof(float));
    LocalTensor<float> tile = room.Get<float>();
    Load(tile, src);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)dst + GetBlockIdx() * TILE, TILE);
    SyncAll();
    DataCopy(to, tile, TILE);
}

// Each core stores its neighbour's place after the meeting, and its own one before.
// a2lint: launch(block_dim=6, src=float[1536], dst=float[1536])
extern "C" __global__ __aicore__ void places_change_hands(GM_ADDR src, GM_ADDR dst)
{
    TPipe pipe;
    TBuf<> room;
    pipe.InitBuffer(room, TILE * sizeof(float));
    LocalTensor<float> tile = room.Get<float>();
    Load(tile, src);
    GlobalTensor<float> own, other;
    own.SetGlobalBuffer((__gm__ float *)dst + GetBlockIdx() * TILE, TILE);
    other.SetGlobalBuffer((__gm__ float *)dst + (GetBlockIdx() + 1) % GetBlockNum() * TILE, TILE);
    DataCopy(own, tile, TILE);
    PipeBarrier<PIPE_ALL>();
    SyncAll();
    DataCopy(other, tile, TILE);
}

constexpr uint32_t SHARE = 8;

// All read what each has stored; the second store has to wait until all have read.
// a2lint: launch(block_dim=6, src=float[1536], dst=float[288], shared=float[48])
extern "C" __global__ __aicore__ void stored_while_others_read(GM_ADDR src, GM_ADDR dst, GM_ADDR shared)
{
    TPipe pipe;
    TBuf<> room;
    pipe.InitBuffer(room, TILE * sizeof(float));
    LocalTensor<float> tile = room.Get<float>();
    Load(tile, src);
    GlobalTensor<float> all, to;
    all.SetGlobalBuffer((__gm__ float *)shared, SHARE * 6);
    to.SetGlobalBuffer((__gm__ float *)dst + GetBlockIdx() * SHARE * 6, SHARE * 6);
    DataCopy(all[GetBlockIdx() * SHARE], tile, SHARE);
    SyncAll();
    DataCopy(tile, all, SHARE * 6);  //~ ERROR race
    PipeBarrier<PIPE_ALL>();
    Adds(tile, tile, 1.0f, SHARE * 6);
    PipeBarrier<PIPE_ALL>();
    DataCopy(all[GetBlockIdx() * SHARE], tile, SHARE);  //~ ERROR race
    SyncAll();
    DataCopy(tile, all, SHARE * 6);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, tile, SHARE * 6);
}

// a2lint: launch(block_dim=6, src=float[1536], dst=float[288], shared=float[48])
extern "C" __global__ __aicore__ void stored_once_all_have_read(GM_ADDR src, GM_ADDR dst, GM_ADDR shared)
{
    TPipe pipe;
    TBuf<> room;
    pipe.InitBuffer(room, TILE * sizeof(float));
    LocalTensor<float> tile = room.Get<float>();
    Load(tile, src);
    GlobalTensor<float> all, to;
    all.SetGlobalBuffer((__gm__ float *)shared, SHARE * 6);
    to.SetGlobalBuffer((__gm__ float *)dst + GetBlockIdx() * SHARE * 6, SHARE * 6);
    DataCopy(all[GetBlockIdx() * SHARE], tile, SHARE);
    SyncAll();
    DataCopy(tile, all, SHARE * 6);
    PipeBarrier<PIPE_ALL>();
    Adds(tile, tile, 1.0f, SHARE * 6);
    SyncAll();
    DataCopy(all[GetBlockIdx() * SHARE], tile, SHARE);
    SyncAll();
    DataCopy(tile, all, SHARE * 6);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, tile, SHARE * 6);
}
