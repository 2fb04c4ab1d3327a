// Without the compiler's synchronisation, the scalar unit reads the sum before the vector unit has written it.
// a2lint: auto-sync off
#include "kernel_operator.h"
using namespace AscendC;

template <HardEvent EVENT>
struct Fence {
    static __aicore__ inline void Pass()
    {
        event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(EVENT));
        SetFlag<EVENT>(id);
        WaitFlag<EVENT>(id);
    }
};

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void divide_by_sum(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> data, sum;
    pipe.InitBuffer(data, 64 * sizeof(float));
    pipe.InitBuffer(sum, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 64);
    gy.SetGlobalBuffer((__gm__ float*)y, 64);
    auto t = data.Get<float>();
    auto s = sum.Get<float>();
    DataCopy(t, gx, 64);
    Fence<HardEvent::MTE2_V>::Pass();
    WholeReduceSum(s, t, 64, 1, 1, 1, 8);
//+    Fence<HardEvent::V_MTE3>::Pass();
//+    const float total = s.GetValue(0);  //~ order
    Fence<HardEvent::V_S>::Pass();//-
    const float total = s.GetValue(0);//-
    Fence<HardEvent::S_V>::Pass();
    Muls(t, t, 1.0f / total, 64);
    Fence<HardEvent::V_MTE3>::Pass();
    DataCopy(gy, t, 64);
}
