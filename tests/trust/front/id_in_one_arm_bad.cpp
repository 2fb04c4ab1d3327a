// After arms that differ in the ids they have taken, which id is free next is not known.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void next_one(GM_ADDR x, GM_ADDR y, uint32_t aux)
{
    TPipe pipe;
    TBuf<> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> all = buf.Get<float>();
    if (aux) {
        pipe.AllocEventID<HardEvent::MTE2_V>();
    }
    DataCopy(all, xGm, 64);
    auto id = pipe.AllocEventID<HardEvent::MTE2_V>();  //~ PARTLY: which event ids are free differs between the paths that lead here
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    Adds(all, all, 1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 64);
}
