// The scalar unit has waited for the pipes and stores the last number itself.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[1024], y=half[1024])
extern "C" __global__ __aicore__ void marked(GM_ADDR x, GM_ADDR y)
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
    PipeBarrier<PIPE_ALL>();
    tile.SetValue(0, half(1.0f));
}
