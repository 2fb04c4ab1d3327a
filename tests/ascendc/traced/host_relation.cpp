// The host gives tiles of whole blocks in every mode: sizes that it never gives accuse the kernel of nothing.
#include "kernel_operator.h"

struct PairTiling {
    uint32_t total;
    uint32_t tile;
    uint32_t mode;
};

constexpr uint32_t IN_PAIRS = 3;

class KernelPairs {
public:
    __aicore__ inline void Init(GM_ADDR out, const PairTiling& tiling, AscendC::TPipe* pipe)
    {
        tile_ = tiling.tile;
        mode_ = tiling.mode;
        outGm_.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out) + AscendC::GetBlockIdx() * tile_, tile_);
        pipe->InitBuffer(queue_, 1, tile_ * sizeof(int32_t));
        pipe->InitBuffer(scratch_, (tile_ + 7) / 8 * 8 * sizeof(int32_t));
    }
    __aicore__ inline void Process()
    {
        AscendC::LocalTensor<int32_t> out = queue_.AllocTensor<int32_t>();
        AscendC::Duplicate(out, 1, tile_);
        if (mode_ == IN_PAIRS) {
            const uint32_t part = tile_ / 16;
            AscendC::LocalTensor<int32_t> upper = scratch_.Get<int32_t>()[2 * part];
            AscendC::CreateVecIndex(upper, 0, 2 * part);
            AscendC::Muls(out, upper, 2, 2 * part);
        }
        queue_.EnQue(out);
        out = queue_.DeQue<int32_t>();
        AscendC::DataCopy(outGm_, out, tile_);
        queue_.FreeTensor(out);
    }

private:
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> queue_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> scratch_;
    AscendC::GlobalTensor<int32_t> outGm_;
    uint32_t tile_;
    uint32_t mode_;
};

extern "C" __global__ __aicore__ void pairs(GM_ADDR out, PairTiling tiling)
{
    AscendC::TPipe pipe;
    KernelPairs op;
    op.Init(out, tiling, &pipe);
    op.Process();
}
