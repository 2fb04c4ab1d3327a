// The store reads what the vector unit has not finished.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void Negate(const LocalTensor<T>& t, int32_t n)
{
    Muls(t, t, static_cast<T>(-1), n);
}

// a2lint: launch(block_dim=1, x=float[512], y=float[512])
extern "C" __global__ __aicore__ void negate(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, 512 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 512);
    gy.SetGlobalBuffer((__gm__ float*)y, 512);
    auto t = queue.AllocTensor<float>();
    DataCopy(t, gx, 512);
    queue.EnQue(t);
    t = queue.DeQue<float>();
    Negate(t, 512);
//+    DataCopy(gy, t, 512);  //~ order
    event_t done = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_MTE3));//-
    SetFlag<HardEvent::V_MTE3>(done);//-
    WaitFlag<HardEvent::V_MTE3>(done);//-
    DataCopy(gy, t, 512);//-
    queue.FreeTensor(t);
}
