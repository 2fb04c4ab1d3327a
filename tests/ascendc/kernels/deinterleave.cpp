// Even and odd elements of a row of pairs, taken apart by fixed patterns.
#include "kernel_operator.h"

namespace pairs {
constexpr uint32_t TILE = 512;

class Deinterleave {
public:
    __aicore__ inline Deinterleave(GM_ADDR x, GM_ADDR even, GM_ADDR odd, uint32_t tiles) : tiles_(tiles)
    {
        const uint64_t core = AscendC::GetBlockIdx();
        x_.SetGlobalBuffer((__gm__ half*)x + core * tiles * TILE, tiles * TILE);
        even_.SetGlobalBuffer((__gm__ half*)even + core * tiles * TILE / 2, tiles * TILE / 2);
        odd_.SetGlobalBuffer((__gm__ half*)odd + core * tiles * TILE / 2, tiles * TILE / 2);
        pipe_.InitBuffer(pairs_, 2, TILE * sizeof(half));
        pipe_.InitBuffer(evens_, 2, TILE / 2 * sizeof(half));
        pipe_.InitBuffer(odds_, 2, TILE / 2 * sizeof(half));
    }
    __aicore__ inline void Run()
    {
        for (uint32_t i = 0; i < tiles_; ++i) {
            auto x = pairs_.AllocTensor<half>();
            AscendC::DataCopy(x, x_[i * TILE], TILE);
            pairs_.EnQue(x);
            x = pairs_.DeQue<half>();
            auto a = evens_.AllocTensor<half>();
            auto b = odds_.AllocTensor<half>();
            uint64_t kept = 0;
            AscendC::GatherMaskParams params;
            params.repeatTimes = TILE / 128;
            AscendC::GatherMask(a, x, 1, false, 0, params, kept);
            AscendC::GatherMask(b, x, 2, false, 0, params, kept);
            pairs_.FreeTensor(x);
            evens_.EnQue(a);
            odds_.EnQue(b);
            Store(evens_, even_[i * TILE / 2]);
            Store(odds_, odd_[i * TILE / 2]);
        }
    }

private:
    using Out = AscendC::TQue<AscendC::TPosition::VECOUT, 1>;

    __aicore__ static inline void Store(Out& queue, const AscendC::GlobalTensor<half>& to)
    {
        auto t = queue.DeQue<half>();
        AscendC::DataCopy(to, t, TILE / 2);
        queue.FreeTensor(t);
    }

    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> pairs_;
    Out evens_, odds_;
    AscendC::GlobalTensor<half> x_, even_, odd_;
    uint32_t tiles_;
};
}  // namespace pairs

// a2lint: launch(block_dim=2, x=half[3072], even=half[1536], odd=half[1536], tiles=3)
extern "C" __global__ __aicore__ void deinterleave(GM_ADDR x, GM_ADDR even, GM_ADDR odd, uint32_t tiles)
{
    pairs::Deinterleave op(x, even, odd, tiles);
    op.Run();
}
