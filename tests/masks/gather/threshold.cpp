// Keeps what is above a threshold: compare, gather by the bits, copy as many as were kept.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
class Threshold {
public:
    __aicore__ inline Threshold() {}
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
//~ NOT-ANALYSED
