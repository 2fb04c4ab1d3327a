// A function that is called with numbers is looked at for each of its calls.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void Pick(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern) {
    uint64_t kept = 0;
    GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
    //~^ ERROR gather-pattern-range: patterns 1 to 7, not 9
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

__aicore__ inline void Change(uint8_t &pattern);

__aicore__ inline void PickChanged(LocalTensor<float> &dst, LocalTensor<float> &src, uint8_t pattern) {
    Change(pattern);
    PickLegal(dst, src, pattern);
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

class Rows {
public:
    __aicore__ inline void Init(GM_ADDR x, uint32_t pattern) {
        this->pattern = pattern;
        pipe.InitBuffer(source, 4096);
        pipe.InitBuffer(target, 4096);
    }
    __aicore__ inline void Compute() {
        LocalTensor<float> src = source.Get<float>();
        LocalTensor<float> dst = target.Get<float>();
        uint64_t kept = 0;
        GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
        //~^ ERROR gather-pattern-range: patterns 1 to 7, not 10
    }

private:
    TPipe pipe;
    TBuf<> source, target;
    uint32_t pattern;
};

// Calls of `Prepare` with several numbers: the member is any of them.
class OpenRows {
public:
    __aicore__ inline void Prepare(GM_ADDR x, uint32_t pattern) {
        this->pattern = pattern;
    }
    __aicore__ inline void Compute(LocalTensor<float> &dst, LocalTensor<float> &src) {
        uint64_t kept = 0;
        GatherMask(dst, src, pattern, false, 0, {1, 1, 8, 0}, kept);
    }

private:
    uint32_t pattern;
};

extern "C" __global__ __aicore__ void rows(GM_ADDR x, uint32_t given) {
    Rows op;
    op.Init(x, 10);
    op.Compute();
}

__aicore__ inline void All(LocalTensor<float> &dst, LocalTensor<float> &src, uint32_t given, GM_ADDR x) {
    PickTwice(dst, src, 9);
    PickLegal(dst, src, 7);
    PickLegal(dst, src, given);
    PickOther(dst, src, 9, given > 2);
    PickChanged(dst, src, 9);
    PickEither(dst, src, 9);
    OpenRows one, other;
    one.Prepare(x, 9);
    other.Prepare(x, given);
    one.Compute(dst, src);
}
