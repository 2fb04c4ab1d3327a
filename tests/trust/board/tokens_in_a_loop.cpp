// Flags and buffers that are taken more often than they are given back: the device waits, and says 507014 later.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[4096], y=float[4096], n=4)
extern "C" __global__ __aicore__ void set_each_time(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 4096);
    yGm.SetGlobalBuffer((__gm__ float *)y, 4096);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 16384);
    LocalTensor<float> tile = space.Get<float>();
    for (uint32_t i = 0; i < n; ++i) {
        DataCopy(tile[i * 1024], xGm[i * 1024], 1024);
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);  //~ ERROR event-unbalanced: more often than it is waited for
    }
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile, 4096);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void never_freed(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 2048);
    for (int i = 0; i < 2; ++i) {
        LocalTensor<float> tile = queue.AllocTensor<float>();  //~ ERROR event-unbalanced: the last of them waits for ever
        DataCopy(tile, xGm[i * 512], 512);
        queue.EnQue(tile);
        tile = queue.DeQue<float>();
        DataCopy(yGm[i * 512], tile, 512);
    }
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void id_nine(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 4096);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, xGm, 1024);
    SetFlag<HardEvent::MTE2_MTE3>(9);  //~ ERROR event-budget: the pair has 0 to 7
    WaitFlag<HardEvent::MTE2_MTE3>(9);  //~ ERROR event-budget: the pair has 0 to 7
    DataCopy(yGm, tile, 1024);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void freed(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 2048);
    for (int i = 0; i < 2; ++i) {
        LocalTensor<float> tile = queue.AllocTensor<float>();
        DataCopy(tile, xGm[i * 512], 512);
        queue.EnQue(tile);
        tile = queue.DeQue<float>();
        DataCopy(yGm[i * 512], tile, 512);
        queue.FreeTensor(tile);
    }
}
