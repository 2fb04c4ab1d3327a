// The scalar unit waits for the store before the kernel ends.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[1024], y=half[1024])
extern "C" __global__ __aicore__ void moved(GM_ADDR x, GM_ADDR y)
{
    InitSocState();
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half *)x, 1024);
    to.SetGlobalBuffer((__gm__ half *)y, 1024);
    LocalTensor<half> tile(TPosition::VECIN, 0, 1024);
    DataCopy(tile, from, 1024);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, tile, 1024);
    SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
}
