// A class template with methods inside and outside, and two kernels that use it.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T, uint32_t LENGTH>
class SplitKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ T*)x);
        gy.SetGlobalBuffer((__gm__ T*)y);
        pipe.InitBuffer(inQueue, 1, LENGTH * sizeof(T));
        pipe.InitBuffer(outQueue, 1, 64 * sizeof(T));
    }
    __aicore__ inline void Compute() {
        LocalTensor<T> src = inQueue.AllocTensor<T>();
        DataCopy(src, gx, LENGTH);
        inQueue.EnQue(src);
        src = inQueue.DeQue<T>();
        LocalTensor<T> dst = outQueue.AllocTensor<T>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, true, 128, {1, 1, 8, 0}, kept);
        //~^ ERROR operand-overrun: GatherMask() reads 32 elements past the end of `src`
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<T>();
        DataCopy(gy, dst, 16);
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }

private:
    TPipe pipe;
    GlobalTensor<T> gx, gy;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};

// a2lint: launch(block_dim=1, x=float[128], y=float[16])
extern "C" __global__ __aicore__ void split_floats(GM_ADDR x, GM_ADDR y) {
    SplitKernel<float, 128> op;
    op.Init(x, y);
    op.Compute();
}

// a2lint: launch(block_dim=1, x=half[96], y=half[16])
extern "C" __global__ __aicore__ void split_halves(GM_ADDR x, GM_ADDR y) {
    SplitKernel<half, 96> op;
    op.Init(x, y);
    op.Compute();
}
