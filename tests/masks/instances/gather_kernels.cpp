// A class template with methods inside and outside, and two kernels that use it.
// a2lint: device b3
#include "kernel_operator.h"

using namespace AscendC;

template <typename T, uint32_t LENGTH>
class SplitKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(inQueue, 1, LENGTH * sizeof(T));
        pipe.InitBuffer(outQueue, 1, 64 * sizeof(T));  //~ WARNING unused-buffer
    }
    __aicore__ inline void Compute() {
        LocalTensor<T> src = inQueue.DeQue<T>();  //~ ERROR event-unbalanced: waits for ever
        LocalTensor<T> dst = outQueue.AllocTensor<T>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, true, 128, {1, 1, 8, 0}, kept);  //~ ERROR gather-source-bounds: which holds 96  //~ ERROR operand-overrun  //~ ERROR uninitialized-read
        outQueue.EnQue(dst);  //~ ERROR event-unbalanced: that no `DeQue` takes out
        inQueue.FreeTensor(src);  //~ ERROR event-unbalanced: that no `AllocTensor` hands out
    }
    __aicore__ inline void Odd();

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};

template <typename U, uint32_t SIZE>
__aicore__ inline void SplitKernel<U, SIZE>::Odd() {
    LocalTensor<U> src = inQueue.DeQue<U>();
    LocalTensor<U> dst = outQueue.AllocTensor<U>();
    uint64_t kept = 0;
    GatherMask(dst[16], src, 2, true, SIZE / 2, {1, 1, 8, 0}, kept);
    GatherMask(dst[8], src, 2, true, SIZE / 2, {1, 1, 8, 0}, kept);  //~ ERROR gather-alignment: dstLocal starts 16 bytes into its memory
}

extern "C" __global__ __aicore__ void split_floats(GM_ADDR x, GM_ADDR y) {
    SplitKernel<float, 128> op;
    op.Init(x, y);
    op.Compute();
}

extern "C" __global__ __aicore__ void split_halves(GM_ADDR x, GM_ADDR y) {
    SplitKernel<half, 96> op;
    op.Init(x, y);
    op.Compute();
}
