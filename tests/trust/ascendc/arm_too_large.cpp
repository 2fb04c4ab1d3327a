// The buffers of the arm that a launch takes exceed UB; those of the other arm do not count.
#include "kernel_operator.h"
using namespace AscendC;

struct PartTiling {
    uint32_t mode;
    uint32_t part;
};

// a2lint: launch(block_dim=1, x=half[2048], y=half[2048], tiling.mode=1, tiling.part=32768)
extern "C" __global__ __aicore__ void large_arm(GM_ADDR x, GM_ADDR y, PartTiling tiling)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second, small;
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half*)x);
    yGm.SetGlobalBuffer((__gm__ half*)y);
    if (tiling.mode == 1) {
        pipe.InitBuffer(first, tiling.part * sizeof(float));  //~ WARNING unused-buffer: is written and never read
        pipe.InitBuffer(second, tiling.part * sizeof(half) + 4096);  //~ ERROR ub-overflow: need 196 KB
        LocalTensor<half> a = second.Get<half>();
        DataCopy(a, xGm, 2048);
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(yGm, a, 2048);
        LocalTensor<half> unused = first.Get<half>();
        Duplicate(unused, half(0), 16);
        Adds(unused, unused, half(1), 16);
    } else {
        pipe.InitBuffer(small, 4096);
        LocalTensor<half> a = small.Get<half>();
        DataCopy(a, xGm, 2048);
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(yGm, a, 2048);
    }
}
