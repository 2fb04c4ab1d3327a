// GatherMask: the memories of operands.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_a1 {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ half*)x);
        gy.SetGlobalBuffer((__gm__ half*)y);
        pipe.InitBuffer(inQueue, 1, 512);
        pipe.InitBuffer(outQueue, 1, 512);
    }
    __aicore__ inline void Compute() {
        LocalTensor<half> src = inQueue.AllocTensor<half>();
        DataCopy(src, gx, 256);
        inQueue.EnQue(src);
        src = inQueue.DeQue<half>();
        LocalTensor<half> dst = outQueue.AllocTensor<half>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<half>();
        DataCopy(gy, dst, 16);
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<half> gx, gy;
    TQue<TPosition::A1, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
}  // namespace bad_a1

// a2lint: launch(block_dim=1, x=half[256], y=half[16])
extern "C" __global__ __aicore__ void position_bad_a1(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_a1;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace bad_co1 {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 512);
        pipe.InitBuffer(outQueue, 1, 512);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 128);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<float>();
        DataCopy(gy, dst, 8);
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::CO1, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
}  // namespace bad_co1

// a2lint: launch(block_dim=1, x=float[128], y=float[8])
extern "C" __global__ __aicore__ void position_bad_co1(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_co1;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_veccalc {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 512);
        pipe.InitBuffer(outQueue, 1, 512);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 128);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
        outQueue.EnQue(dst);
        dst = outQueue.DeQue<float>();
        DataCopy(gy, dst, 8);
        outQueue.FreeTensor(dst);
        inQueue.FreeTensor(src);
    }
private:
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    TQue<TPosition::VECCALC, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
};
}  // namespace good_veccalc

// a2lint: launch(block_dim=1, x=float[128], y=float[8])
extern "C" __global__ __aicore__ void position_good_veccalc(GM_ADDR x, GM_ADDR y)
{
    using namespace good_veccalc;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_vecin {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        gx.SetGlobalBuffer((__gm__ float*)x);
        gy.SetGlobalBuffer((__gm__ float*)y);
        pipe.InitBuffer(inQueue, 1, 512);
        pipe.InitBuffer(outQueue, 1, 512);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = inQueue.AllocTensor<float>();
        DataCopy(src, gx, 128);
        inQueue.EnQue(src);
        src = inQueue.DeQue<float>();
        LocalTensor<float> dst = outQueue.AllocTensor<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
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
}  // namespace good_vecin

// a2lint: launch(block_dim=1, x=float[128], y=float[8])
extern "C" __global__ __aicore__ void position_good_vecin(GM_ADDR x, GM_ADDR y)
{
    using namespace good_vecin;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}
//~ PARTLY: nothing known prepares `inQueue` on this path
//~ PARTLY: the type of a queue is not known
