// A tile is stored to GM and loaded back, and one buffer is loaded while it is stored: no queue orders MTE3 and MTE2.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], ws=float[1024])
extern "C" __global__ __aicore__ void at_once(GM_ADDR x, GM_ADDR y, GM_ADDR ws)
{
    GlobalTensor<float> xGm, yGm, wsGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 1024);
    wsGm.SetGlobalBuffer((__gm__ float *)ws, 1024);
    TPipe pipe;
    TBuf<> tileBuf, againBuf;
    pipe.InitBuffer(tileBuf, 4096);
    pipe.InitBuffer(againBuf, 4096);
    LocalTensor<float> tile = tileBuf.Get<float>();
    LocalTensor<float> again = againBuf.Get<float>();
    DataCopy(tile, xGm, 1024);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(wsGm, tile, 1024);
    DataCopy(again, wsGm, 1024);  //~ ERROR race: nothing orders MTE3→MTE2
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID1);
    DataCopy(yGm, again, 1024);
}

// a2lint: launch(block_dim=1, x=float[4096], y=float[4096], n=4)
extern "C" __global__ __aicore__ void in_place(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, n * 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, n * 1024);
    TPipe pipe;
    TBuf<> tileBuf;
    pipe.InitBuffer(tileBuf, 4096);
    LocalTensor<float> tile = tileBuf.Get<float>();
    for (uint32_t i = 0; i < n; ++i) {
        DataCopy(tile, xGm[i * 1024], 1024);  //~ ERROR race: nothing orders MTE3→MTE2
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(yGm[i * 1024], tile, 1024);
    }
}

// a2lint: launch(block_dim=1, x=float[4096], y=float[4096], n=4)
extern "C" __global__ __aicore__ void queue_of_both(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, n * 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, n * 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 4096);
    for (uint32_t i = 0; i < n; ++i) {
        LocalTensor<float> tile = queue.AllocTensor<float>();
        DataCopy(tile, xGm[i * 1024], 1024);
        queue.EnQue(tile);
        tile = queue.DeQue<float>();
        DataCopy(yGm[i * 1024], tile, 1024);
        queue.FreeTensor(tile);
    }
}
