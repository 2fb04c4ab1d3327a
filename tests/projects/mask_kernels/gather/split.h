// Splits interleaved pairs into two tensors; one instance for each tiling.
#pragma once
#include "../common/tiling.h"

namespace split {
using namespace AscendC;

template <typename T, typename Tiling>
class SplitBase {
protected:
    static constexpr uint32_t BYTES = TileBytes<Tiling, T>::VALUE;
    static constexpr uint32_t REPEATS = layout::Repeats(BYTES);
    TPipe pipe;
    TQue<TPosition::VECIN, Tiling::BUFFERS> pairs;
    TQue<TPosition::VECOUT, Tiling::BUFFERS> halves;
};

template <typename T, typename Tiling, layout::Half which = layout::Half::FIRST>
class Split : public SplitBase<T, Tiling> {
    using Base = SplitBase<T, Tiling>;

public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
        this->pipe.InitBuffer(this->pairs, Tiling::BUFFERS, Base::BYTES);
        this->pipe.InitBuffer(this->halves, Tiling::BUFFERS, Base::BYTES / 2);
        repeats = Base::REPEATS;
        stride = 8;
    }
    __aicore__ inline void Process() {
        CopyIn();
        Compute();
    }

private:
    __aicore__ inline void CopyIn();
    __aicore__ inline void Compute() {
        LocalTensor<T> in = this->pairs.template DeQue<T>();
        LocalTensor<T> out = this->halves.template AllocTensor<T>();
        uint64_t kept = 0;
        GatherMaskParams params;
        params.repeatTimes = repeats;
        params.src0RepeatStride = stride;
        params.src1RepeatStride = 0;
        GatherMask(out, in, static_cast<uint8_t>(which), false, 0, params, kept);
        this->halves.EnQue(out);
        this->pairs.FreeTensor(in);
        total += kept;
    }
    // Keeps what a mask of bits in GM says, in place of a fixed pattern.
    __aicore__ inline void Filter(LocalTensor<typename layout::PatternWord<T>::Type> &bits) {
        LocalTensor<T> in = this->pairs.template DeQue<T>();
        LocalTensor<T> out = this->halves.template AllocTensor<T>();
        uint64_t kept = 0;
        GatherMask(out, in, bits, true, Tiling::COLUMNS / 2, {1, 1, 8, 0}, kept);
        total += kept;
    }

    uint16_t repeats;
    uint16_t stride;
    uint64_t total = 0;
};

template <typename T, typename Tiling, layout::Half which>
__aicore__ inline void Split<T, Tiling, which>::CopyIn() {
    LocalTensor<T> in = this->pairs.template AllocTensor<T>();
    this->pairs.EnQue(in);
}
}  // namespace split
