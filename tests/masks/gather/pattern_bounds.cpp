// GatherMask: patterns that are read past their end.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_default_stride {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 256 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 256 * sizeof(float));
        pipe.InitBuffer(patternBuf, 128);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 256);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
        Duplicate(pattern, 0xffffffffu, 32);
        GatherMask(dst, src, pattern, false, 0, {1, 4, 8, 8}, kept);
        //~^ ERROR operand-overrun: GatherMask() reads 6 elements past the end of `pattern`
        //~^^ WARNING gather-mask-arguments: each repeat of `GatherMask` takes 8 bytes of the
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
}  // namespace bad_default_stride

// a2lint: launch(block_dim=1, x=float[256], y=float[8])
extern "C" __global__ __aicore__ void pattern_bounds_bad_default_stride(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_default_stride;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace bad_many_elements {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 2048 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 2048 * sizeof(float));
        pipe.InitBuffer(patternBuf, 32);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 2048);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
        Duplicate(pattern, 0xffffffffu, 8);
        GatherMask(dst, src, pattern, true, 2048, {1, 1, 8, 0}, kept);
        //~^ ERROR operand-overrun: GatherMask() reads 56 elements past the end of `pattern`
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
}  // namespace bad_many_elements

// a2lint: launch(block_dim=1, x=float[2048], y=float[8])
extern "C" __global__ __aicore__ void pattern_bounds_bad_many_elements(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_many_elements;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_block_each {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 256 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 256 * sizeof(float));
        pipe.InitBuffer(patternBuf, 128);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 256);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
        Duplicate(pattern, 0xffffffffu, 32);
        GatherMask(dst, src, pattern, false, 0, {1, 4, 8, 1}, kept);
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
}  // namespace good_block_each

// a2lint: launch(block_dim=1, x=float[256], y=float[8])
extern "C" __global__ __aicore__ void pattern_bounds_good_block_each(GM_ADDR x, GM_ADDR y)
{
    using namespace good_block_each;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_shared {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 256 * sizeof(float));
        pipe.InitBuffer(outQueue, 1, 256 * sizeof(float));
        pipe.InitBuffer(patternBuf, 32);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 256);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        LocalTensor<uint32_t> pattern = patternBuf.Get<uint32_t>();
        Duplicate(pattern, 0xffffffffu, 8);
        GatherMask(dst, src, pattern, false, 0, {1, 4, 8, 0}, kept);
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
}  // namespace good_shared

// a2lint: launch(block_dim=1, x=float[256], y=float[8])
extern "C" __global__ __aicore__ void pattern_bounds_good_shared(GM_ADDR x, GM_ADDR y)
{
    using namespace good_shared;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}
