// The mask is the number of all elements.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void all_elements(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> source, sink;
    source.SetGlobalBuffer((__gm__ float *)x, 1024);
    sink.SetGlobalBuffer((__gm__ float *)y, 1024);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 4096);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, source, 1024);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 1024);
    Adds<float, false>(tile, tile, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    Muls(tile, tile, 2.0f, 1024, 1, {1, 1, 8, 8});
    SetMaskNorm();
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(sink, tile, 1024);
}
