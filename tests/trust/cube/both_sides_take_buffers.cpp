// Both sides take the buffers of both, as kernels with one class do; each uses its own.
//~ VERDICT both.order: proved
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t LENGTH = 1024;

struct Buffers {
    LocalTensor<uint8_t> l1, ub;

    __aicore__ inline Buffers(TPipe *pipe)
    {
        TBuf<TPosition::A1> cube;
        pipe->InitBuffer(cube, LENGTH * sizeof(half));  //~ WARNING unused-buffer: never read
        l1 = cube.Get<uint8_t>();
        TBuf<TPosition::VECCALC> vec;
        pipe->InitBuffer(vec, 2 * LENGTH * sizeof(half));
        ub = vec.Get<uint8_t>();
    }
    template <typename T>
    __aicore__ inline LocalTensor<T> InL1(uint32_t bytes)
    {
        return l1[bytes].ReinterpretCast<T>();
    }
    template <typename T>
    __aicore__ inline LocalTensor<T> InUb(uint32_t bytes)
    {
        return ub[bytes].ReinterpretCast<T>();
    }
};

// a2lint: launch(block_dim=2, x=half[1024], y=half[4096])
extern "C" __global__ __aicore__ void both(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    TPipe pipe;
    Buffers buffers(&pipe);
    LocalTensor<half> a = buffers.InL1<half>(0), u = buffers.InUb<half>(LENGTH * sizeof(half));
    GlobalTensor<half> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ half *)x, LENGTH);
    yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * LENGTH, LENGTH);
    if ASCEND_IS_AIC {
        DataCopy(a, xGm, LENGTH);
        PipeBarrier<PIPE_ALL>();
    }
    if ASCEND_IS_AIV {
        DataCopy(u, xGm, LENGTH);
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopy(yGm, u, LENGTH);
        PipeBarrier<PIPE_ALL>();
    }
}
