// A function that is called with numbers is looked at for each of its calls.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void Pick(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
    //~^ ERROR gather-mask-arguments: the fixed patterns of `GatherMask` are 1 to 7,

}

// Passed on by name.
__aicore__ inline void PickTwice(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern) {
    Pick(dst, src, pattern);
    Pick(dst[64], src[64], pattern);
}

__aicore__ inline void PickLegal(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
}

// What is passed is not what is used.
__aicore__ inline void PickOther(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern, bool wide) {
    uint64_t kept = 0;
    if (wide) {
        pattern = 3;
    }
    GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
}

// Two of one name: nobody here says which one is meant.
__aicore__ inline void PickEither(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
}
__aicore__ inline void PickEither(LocalTensor<half> &dst, LocalTensor<half> &src, uint8_t pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
}

// a2lint: launch(block_dim=1, y=float[8], given=1)
extern "C" __global__ __aicore__ void passed_numbers(GM_ADDR y, uint32_t given)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 512);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 512);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> otherBuf;
    pipe.InitBuffer(otherBuf, 256);
    //~^ WARNING unused-buffer: `otherBuf` [128] is written and never read: 256 bytes
    LocalTensor<half> other = otherBuf.Get<half>();
    Duplicate(src, 1.0f, 128);
    Duplicate(dst, 0.0f, 128);
    Duplicate(other, static_cast<half>(1.0), 128);
    PipeBarrier<PIPE_ALL>();
    PickLegal(dst, src, 7);
    PickOther(dst, src, 2, false);
    PickEither(dst, src, 1);
    PickEither(other, other, 1);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}

// a2lint: launch(block_dim=1, y=float[8])
extern "C" __global__ __aicore__ void passed_nine(GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 512);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 512);
    LocalTensor<float> dst = dstBuf.Get<float>();
    Duplicate(src, 1.0f, 128);
    Duplicate(dst, 0.0f, 128);
    PipeBarrier<PIPE_ALL>();
    PickTwice(dst, src, 9);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, dst, 8);
}
//~ PARTLY: there is no pattern 9 of `GatherMask`
//~ PARTLY: no overload fits this call of `Pick`
