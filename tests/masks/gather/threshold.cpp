// Keeps what is above a threshold: compare, gather by the bits, copy as many as were kept.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
class Threshold {
public:
    __aicore__ inline Threshold(TPipe &pipe) { pipe.InitBuffer(bitBuf, COUNT / 8); }
    __aicore__ inline void Compute(LocalTensor<float> &x, LocalTensor<float> &y, GlobalTensor<float> &out) {
        LocalTensor<uint8_t> bits = bitBuf.Get<uint8_t>();
        CompareScalar(bits, x, threshold, CMPMODE::GT, COUNT);
        PipeBarrier<PIPE_V>();
        uint64_t kept = 0;
        GatherMaskParams params;
        params.repeatTimes = 1;
        params.src0BlockStride = 1;
        params.src0RepeatStride = 8;
        params.src1RepeatStride = 0;
        GatherMask(y, x, bits.ReinterpretCast<uint32_t>(), true, COUNT, params, kept);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopyExtParams copy{1, static_cast<uint32_t>(kept * sizeof(float)), 0, 0, 0};
        DataCopyPad(out[written], y, copy);
        written += kept;
    }

private:
    static constexpr uint32_t COUNT = 1024;
    TBuf<TPosition::VECCALC> bitBuf;
    float threshold = 0.5f;
    uint64_t written = 0;
};

// a2lint: launch(block_dim=1, y=float[1024])
extern "C" __global__ __aicore__ void threshold(GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 4096);
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 4096);
    LocalTensor<float> dst = dstBuf.Get<float>();
    Duplicate(x, 1.0f, 1024);
    Duplicate(dst, 0.0f, 1024);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> out;
    out.SetGlobalBuffer((__gm__ float*)y);
    Threshold<float> op(pipe);
    op.Compute(x, dst, out);
}
//~ PARTLY: a number could not be evaluated
