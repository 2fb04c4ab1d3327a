// Two halves of a buffer, one flag id: the store of a half is waited for before the load of the other one.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

// a2lint: launch(block_dim=1, x=half[1536], y=half[1536], tiles=6)
extern "C" __global__ __aicore__ void double_buffered(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> whole;
    pipe.InitBuffer(whole, 2 * TILE * sizeof(half));
    LocalTensor<half> both = whole.Get<half>();
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, tiles * TILE);
    gy.SetGlobalBuffer((__gm__ half*)y, tiles * TILE);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    for (uint32_t i = 0; i < tiles; i++) {
        const uint32_t half_index = i % 2;
//+        const event_t id = i % 2 == 0 ? EVENT_ID1 : EVENT_ID0;
//+        const event_t after = i % 2 == 0 ? EVENT_ID0 : EVENT_ID1;
        const event_t id = i % 2 == 0 ? EVENT_ID0 : EVENT_ID1;//-
        const event_t after = id;//-
        LocalTensor<half> t = both[half_index * TILE];
        WaitFlag<HardEvent::MTE3_MTE2>(id);
        DataCopy(t, gx[i * TILE], TILE);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        Muls(t, t, (half)0.25, TILE);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(gy[i * TILE], t, TILE);
//+        SetFlag<HardEvent::MTE3_MTE2>(i + 1 == tiles ? after : id);
        SetFlag<HardEvent::MTE3_MTE2>(id);//-
    }
//+    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);  //~ progress
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);//-
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
}
