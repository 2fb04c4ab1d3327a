// All vec lanes meet: progress is proved only where each lane comes to the same meetings.
#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void Clear(GlobalTensor<float> &to, TBuf<TPosition::VECCALC> &buf)
{
    LocalTensor<float> zeros = buf.Get<float>();
    Duplicate(zeros, 0.0f, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, zeros, 64);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
}

//~ VERDICT rounds.progress: proved
extern "C" __global__ __aicore__ void rounds(GM_ADDR y, uint32_t count)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    for (uint32_t i = 0; i < count; i++) {
        Clear(to, buf);
        SyncAll();
    }
    if (count > 4) {
        SyncAll();
    }
}

// The other cores wait for this one for ever.
//~ VERDICT early.progress: open
extern "C" __global__ __aicore__ void early(GM_ADDR y, uint32_t used)
{
    if (GetBlockIdx() >= used) {
        return;
    }
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    Clear(to, buf);
    SyncAll();
    Clear(to, buf);
}

// Each core meets the others as often as it has tiles.
extern "C" __global__ __aicore__ void shares(GM_ADDR y, uint32_t tiles)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)y, 64 * tiles);
    for (uint32_t t = GetBlockIdx(); t < tiles; t += GetBlockNum()) {
        GlobalTensor<float> part = to[t * 64];
        Clear(part, buf);
        SyncAll();  //~ WARNING deadlock: no lane can go on
    }
}

// What was read decides.
//~ VERDICT by_data.progress: open
extern "C" __global__ __aicore__ void by_data(GM_ADDR y, GM_ADDR n)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    GlobalTensor<int32_t> counts;
    counts.SetGlobalBuffer((__gm__ int32_t *)n, 64);
    int32_t count = counts.GetValue(GetBlockIdx());
    GlobalTensor<float> to;
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    if (count > 3) {
        SyncAll();
    }
    Clear(to, buf);
}
