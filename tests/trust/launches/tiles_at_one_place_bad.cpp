// Each tile is stored to the start of the part of its block, over the tile before, and nothing orders the stores. Only
// a launch with several tiles for a block shows it.
#include "kernel_operator.h"

namespace {
constexpr int32_t DEPTH = 2;
struct Plan {
    uint32_t elements;
    uint32_t parts;
};
}

class Heads {
public:
    __aicore__ inline Heads() {}
    __aicore__ inline void Init(GM_ADDR src, GM_ADDR dst, uint32_t elements, uint32_t parts)
    {
        uint32_t ofBlock = elements / AscendC::GetBlockNum();
        this->parts = parts;
        this->length = ofBlock / parts / DEPTH;
        from.SetGlobalBuffer((__gm__ float*)src + ofBlock * AscendC::GetBlockIdx(), ofBlock);
        to.SetGlobalBuffer((__gm__ float*)dst + ofBlock * AscendC::GetBlockIdx(), ofBlock);
        pipe.InitBuffer(loaded, DEPTH, this->length * sizeof(float));
        pipe.InitBuffer(stored, DEPTH, this->length * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        int32_t rounds = this->parts * DEPTH;
        for (int32_t i = 0; i < rounds; i++) {
            AscendC::LocalTensor<float> a = loaded.AllocTensor<float>();
            AscendC::DataCopy(a, from[i * this->length], this->length);
            loaded.EnQue(a);
            a = loaded.DeQue<float>();
            AscendC::LocalTensor<float> b = stored.AllocTensor<float>();
            AscendC::Muls(b, a, 0.5f, this->length);
            loaded.FreeTensor(a);
            stored.EnQue(b);
            b = stored.DeQue<float>();
            AscendC::DataCopy(to, b, this->length);  //~ WARNING race: may still be writing it on MTE3
            stored.FreeTensor(b);
        }
    }

private:
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, DEPTH> loaded;
    AscendC::TQue<AscendC::TPosition::VECOUT, DEPTH> stored;
    AscendC::GlobalTensor<float> from, to;
    uint32_t parts, length;
};

extern "C" __global__ __aicore__ void heads(GM_ADDR src, GM_ADDR dst, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Plan, plan, tiling);
    Heads op;
    op.Init(src, dst, plan.elements, plan.parts);
    op.Process();
}
