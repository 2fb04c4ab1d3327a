// GatherMask: results that leave the destination.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_half_of_it {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 128 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 32 * sizeof(float));
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 128);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 2, 8, 0}, kept);
        //~^ ERROR operand-overrun: GatherMask() writes 32 elements past the end of `dst`
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
}  // namespace bad_half_of_it

// a2lint: launch(block_dim=1, x=float[128], y=float[8])
extern "C" __global__ __aicore__ void destination_bounds_bad_half_of_it(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_half_of_it;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace bad_tensor_pattern {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 32 * sizeof(float));
        pipe.InitBuffer(patternBuf, 32);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 64);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
        LocalTensor<uint8_t> bits = pattern.ReinterpretCast<uint8_t>();
        Compare(bits, src, src, CMPMODE::GT, 64);
        GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<float>();
        DataCopy(gy, dst, 8);
        //~^ ERROR uninitialized-read: DataCopy() stores undefined elements of `dst` (its `src`) to
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> patternBuf;
};
}  // namespace bad_tensor_pattern

// a2lint: launch(block_dim=1, x=float[64], y=float[8])
extern "C" __global__ __aicore__ void destination_bounds_bad_tensor_pattern(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_tensor_pattern;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_exact {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 128 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
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
}  // namespace good_exact

// a2lint: launch(block_dim=1, x=float[128], y=float[8])
extern "C" __global__ __aicore__ void destination_bounds_good_exact(GM_ADDR x, GM_ADDR y)
{
    using namespace good_exact;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_in_place {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 128 * sizeof(float));
        //~^ WARNING unused-buffer: `inQueue` [128] is written and never read: 512 bytes
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 128);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        uint64_t kept = 0;
        GatherMask(src, src, 2, false, 0, {1, 2, 8, 0}, kept);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::VECIN, 1> inQueue;
};
}  // namespace good_in_place

// a2lint: launch(block_dim=1, x=float[128], y=float[8])
extern "C" __global__ __aicore__ void destination_bounds_good_in_place(GM_ADDR x, GM_ADDR y)  //~ WARNING unused-tensor: neither loads nor stores it
{
    using namespace good_in_place;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_pattern_of_the_caller {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 32 * sizeof(float));
        pipe.InitBuffer(patternBuf, 32);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 64);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
        Duplicate(pattern, 0xffffffffu, 8);
        GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
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
    TBuf<TPosition::VECCALC> patternBuf;
};
}  // namespace good_pattern_of_the_caller

// a2lint: launch(block_dim=1, x=float[64], y=float[8])
extern "C" __global__ __aicore__ void destination_bounds_good_pattern_of_the_caller(GM_ADDR x, GM_ADDR y)
{
    using namespace good_pattern_of_the_caller;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}
