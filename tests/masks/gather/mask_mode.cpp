// GatherMask: the mask mode after GatherMask.
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_in_a_loop {
__aicore__ inline void gather_columns(LocalTensor<float> &a, LocalTensor<float> &b, LocalTensor<float> &c) {
    SetMaskCount();
    uint64_t kept = 0;
    for (int i = 0; i < 4; i++) {
        GatherMask(a, b, 1, true, 64, {1, 1, 8, 0}, kept);
        PipeBarrier<PIPE_V>();
        Muls<float, false>(c, a, 2.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    }
}
}  // namespace bad_in_a_loop

// a2lint: launch(block_dim=1, x=float[8], y=float[64])
extern "C" __global__ __aicore__ void mask_mode_bad_in_a_loop(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_in_a_loop;
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8192);
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 8192);
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 8192);
    LocalTensor<float> c = cBuf.Get<float>();
    Duplicate(a, 1.0f, 2048);
    Duplicate(b, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(a, b, c);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, c, 64);  //~ ERROR uninitialized-read: DataCopy() stores undefined elements of `c` (its `src`) to
}

namespace bad_lost {
__aicore__ inline void gather_columns(LocalTensor<float> &a, LocalTensor<float> &b, LocalTensor<float> &c) {
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 64);
    uint64_t kept = 0;
    GatherMask(a, b, 1, true, 64, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Add<float, false>(c, a, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
}
}  // namespace bad_lost

// a2lint: launch(block_dim=1, x=float[8], y=float[64])
extern "C" __global__ __aicore__ void mask_mode_bad_lost(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_lost;
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8192);
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 8192);
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 8192);
    LocalTensor<float> c = cBuf.Get<float>();
    Duplicate(a, 1.0f, 2048);
    Duplicate(b, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(a, b, c);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, c, 64);  //~ ERROR uninitialized-read: DataCopy() stores undefined elements of `c` (its `src`) to
}

namespace good_set_again {
__aicore__ inline void gather_columns(LocalTensor<float> &a, LocalTensor<float> &b, LocalTensor<float> &c) {
    SetMaskCount();
    uint64_t kept = 0;
    GatherMask(a, b, 1, true, 64, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    SetMaskCount();
    Add<float, false>(c, a, b, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
}
}  // namespace good_set_again

// a2lint: launch(block_dim=1, x=float[8], y=float[64])
extern "C" __global__ __aicore__ void mask_mode_good_set_again(GM_ADDR x, GM_ADDR y)
{
    using namespace good_set_again;
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8192);
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 8192);
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 8192);
    LocalTensor<float> c = cBuf.Get<float>();
    Duplicate(a, 1.0f, 2048);
    Duplicate(b, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(a, b, c);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, c, 64);
}

namespace good_sets_its_own {
__aicore__ inline void gather_columns(LocalTensor<float> &a, LocalTensor<float> &b, LocalTensor<float> &c) {
    SetMaskCount();
    uint64_t kept = 0;
    GatherMask(a, b, 1, true, 64, {1, 1, 8, 0}, kept);
    PipeBarrier<PIPE_V>();
    Add(c, a, b, 64);
}
}  // namespace good_sets_its_own

// a2lint: launch(block_dim=1, x=float[8], y=float[64])
extern "C" __global__ __aicore__ void mask_mode_good_sets_its_own(GM_ADDR x, GM_ADDR y)
{
    using namespace good_sets_its_own;
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8192);
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 8192);
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 8192);
    LocalTensor<float> c = cBuf.Get<float>();
    Duplicate(a, 1.0f, 2048);
    Duplicate(b, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(a, b, c);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, c, 64);
}
//~ PARTLY: how many elements counter mode has is not known
