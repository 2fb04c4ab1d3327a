// `SetMaskNorm()` sets the mode of the mask, and not the mask.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void mode_alone(GM_ADDR x, GM_ADDR y)
{
    SetMaskNorm();
    GlobalTensor<float> source, sink;
    source.SetGlobalBuffer((__gm__ float *)x, 256);
    sink.SetGlobalBuffer((__gm__ float *)y, 256);
    LocalTensor<float> tile(TPosition::VECCALC, 0, 256);
    DataCopy(tile, source, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
    Exp<float, false>(tile, tile, MASK_PLACEHOLDER, 4, {1, 1, 8, 8});  //~ ERROR mask-inherited
    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);
    DataCopy(sink, tile, 256);
    PipeBarrier<PIPE_ALL>();
}
