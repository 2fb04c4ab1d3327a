// GatherMask: results over the source or the pattern.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_elements_of_any_type {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(src[32], src, 1, false, 0, {1, repeats, 8, 0}, kept); //~ ERROR partial-overlap: GatherMask() writes 128 elements of
}
}  // namespace bad_elements_of_any_type

// a2lint: launch(block_dim=1, x=float[8], y=float[8], repeats=4)
extern "C" __global__ __aicore__ void partial_overlap_bad_elements_of_any_type(GM_ADDR x, GM_ADDR y, uint16_t repeats)
{
    using namespace bad_elements_of_any_type;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);  //~ WARNING unused-buffer: `srcBuf` [2048] is written and never read: 8192 bytes
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, repeats);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace bad_over_the_pattern {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(work, 2048);  //~ WARNING unused-buffer: `work` [512] is written and never read: 2048 bytes
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> data = work.Get<float>();
        LocalTensor<uint32_t> pattern = work.GetWithOffset<uint32_t>(8, 1024);
        uint64_t kept = 0;
        Duplicate(data, 1.0f, 512);
        GatherMask(data[256], data, pattern, false, 0, {1, 4, 8, 0}, kept);
    }
private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
};
}  // namespace bad_over_the_pattern

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void partial_overlap_bad_over_the_pattern(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_over_the_pattern;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace bad_shifted {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(work, 2048);  //~ WARNING unused-buffer: `work` [512] is written and never read: 2048 bytes
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> data = work.Get<float>();
        uint64_t kept = 0;
        Duplicate(data, 1.0f, 512);
        GatherMask(data[64], data, 1, false, 0, {1, 4, 8, 0}, kept);
        //~^ ERROR partial-overlap: GatherMask() writes 128 elements of `data[64]` [448] that it
    }
private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
};
}  // namespace bad_shifted

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void partial_overlap_bad_shifted(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_shifted;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_apart {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(work, 2048);  //~ WARNING unused-buffer: `work` [512] is written and never read: 2048 bytes
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> data = work.Get<float>();
        uint64_t kept = 0;
        Duplicate(data, 1.0f, 512);
        GatherMask(data[256], data, 1, false, 0, {1, 4, 8, 0}, kept);
    }
private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
};
}  // namespace good_apart

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void partial_overlap_good_apart(GM_ADDR x, GM_ADDR y)
{
    using namespace good_apart;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}

namespace good_elements_of_some_type {
template <typename T>
__aicore__ inline void gather_columns(LocalTensor<T> &dst, LocalTensor<T> &src, uint16_t repeats) {
    uint64_t kept = 0;
    GatherMask(src[256], src, 1, false, 0, {1, 1, 8, 0}, kept);
    GatherMask(src[64], src, 1, false, 0, {1, 1, 8, 0}, kept);
}
}  // namespace good_elements_of_some_type

// a2lint: launch(block_dim=1, x=float[8], y=float[8], repeats=4)
extern "C" __global__ __aicore__ void partial_overlap_good_elements_of_some_type(GM_ADDR x, GM_ADDR y, uint16_t repeats)
{
    using namespace good_elements_of_some_type;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);  //~ WARNING unused-buffer: `srcBuf` [2048] is written and never read: 8192 bytes
    LocalTensor<float> src = srcBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, repeats);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

namespace good_in_place {
class GatherKernel {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        pipe.InitBuffer(work, 2048);  //~ WARNING unused-buffer: `work` [512] is written and never read: 2048 bytes
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> data = work.Get<float>();
        uint64_t kept = 0;
        Duplicate(data, 1.0f, 512);
        GatherMask(data, data, 2, false, 0, {1, 4, 8, 0}, kept);
    }
private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> work;
};
}  // namespace good_in_place

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void partial_overlap_good_in_place(GM_ADDR x, GM_ADDR y)
{
    using namespace good_in_place;
    GatherKernel op;
    op.Init(x, y);
    op.Compute();
}
