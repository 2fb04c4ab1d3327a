// GatherMask: sources that are read past their end.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_tail {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 100 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 256 * sizeof(float));
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 100);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 2, 8, 0}, kept);
        //~^ ERROR operand-overrun: GatherMask() reads 24 elements past the end of `src`
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<float>();
        DataCopy(gy, dst, 8);
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
}  // namespace bad_tail

// a2lint: launch(block_dim=1, x=float[100], y=float[8])
extern "C" __global__ __aicore__ void source_bounds_bad_tail(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_tail;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_counter {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 100 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 256 * sizeof(float));
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 100);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, true, 100, {1, 1, 8, 0}, kept);
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<float>();
        DataCopy(gy, dst, 8);
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
}  // namespace good_counter

// a2lint: launch(block_dim=1, x=float[100], y=float[8])
extern "C" __global__ __aicore__ void source_bounds_good_counter(GM_ADDR x, GM_ADDR y)
{
    using namespace good_counter;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_sized_at_run_time {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t bytes) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, bytes);
        pipe.InitBuffer(outQueue, 1, 256 * sizeof(float));
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 128);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 2, 8, 0}, kept);
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<float>();
        DataCopy(gy, dst, 8);
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
}  // namespace good_sized_at_run_time

// a2lint: launch(block_dim=1, x=float[128], y=float[8], bytes=512)
extern "C" __global__ __aicore__ void source_bounds_good_sized_at_run_time(GM_ADDR x, GM_ADDR y, uint32_t bytes)
{
    using namespace good_sized_at_run_time;
    GatherKernel op;
    op.Init(x, y, bytes);
    op.Compute();
}
