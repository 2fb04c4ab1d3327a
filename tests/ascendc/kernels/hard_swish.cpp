// y = x * clamp(x + 3, 0, 6) / 6, by a formula that a base class calls.
#include "common/elementwise.h"

class HardSwish : public common::Elementwise<HardSwish, float> {
public:
    __aicore__ inline void Apply(AscendC::LocalTensor<float>& y, const AscendC::LocalTensor<float>& x, uint32_t n)
    {
        AscendC::Adds(y, x, 3.0f, n);
        AscendC::Maxs(y, y, 0.0f, n);
        AscendC::Mins(y, y, 6.0f, n);
        AscendC::Muls(y, y, 1.0f / 6.0f, n);
        AscendC::Mul(y, y, x, n);
    }
};

// a2lint: launch(block_dim=4, x=float[1001], y=float[1001], total=1001, tile=96)
// a2lint: launch(block_dim=4, x=float[10], y=float[10], total=10, tile=96)
extern "C" __global__ __aicore__ void hard_swish(GM_ADDR x, GM_ADDR y, uint32_t total, uint32_t tile)
{
    HardSwish op;
    op.Init(x, y, total, tile);
    op.Process();
}
