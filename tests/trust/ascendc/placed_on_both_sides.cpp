// Tensors with addresses of their own, placed by the code of both sides: each memory counts once.
#include "kernel_operator.h"
using namespace AscendC;

class Twice {
public:
    __aicore__ inline void Init()
    {
        first = LocalTensor<float>(TPosition::VECCALC, 0, 64);
        second = LocalTensor<float>(TPosition::VECCALC, 256, 64);
    }
    __aicore__ inline void Process(GM_ADDR y)
    {
        if ASCEND_IS_AIV {
            Duplicate(first, 1.0f, 64);
            PipeBarrier<PIPE_V>();
            Adds(second, first, 1.0f, 64);
            GlobalTensor<float> to;
            to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
            SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
            DataCopy(to, second, 64);
            PipeBarrier<PIPE_ALL>();
        }
    }

private:
    LocalTensor<float> first, second;
};

extern "C" __global__ __aicore__ void twice(GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    Twice op;
    op.Init();
    op.Process(y);
}
