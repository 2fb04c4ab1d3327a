// The build turns the compiler's synchronisation off: an instruction that reads what the one before it writes needs a
// barrier.
// a2lint: auto-sync off
#include "kernel_operator.h"

using AscendC::LocalTensor;

namespace softplus_ns {
constexpr int32_t TILE = 512;

__aicore__ inline void Softplus(const LocalTensor<float>& y, const LocalTensor<float>& x)
{
    AscendC::Exp(y, x, TILE);
//+    AscendC::Adds(y, y, 1.0f, TILE);  //~ order
    AscendC::PipeBarrier<PIPE_V>();//-
    AscendC::Adds(y, y, 1.0f, TILE);//-
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Ln(y, y, TILE);
}
}  // namespace softplus_ns

// a2lint: launch(block_dim=2, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void softplus(GM_ADDR x, GM_ADDR y)
{
    using namespace softplus_ns;
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> source;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> result;
    pipe.InitBuffer(source, 1, TILE * sizeof(float));
    pipe.InitBuffer(result, 1, TILE * sizeof(float));
    AscendC::GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x) + AscendC::GetBlockIdx() * TILE, TILE);
    yGm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y) + AscendC::GetBlockIdx() * TILE, TILE);
    LocalTensor<float> xLocal = source.AllocTensor<float>();
    AscendC::DataCopy(xLocal, xGm, TILE);
    source.EnQue(xLocal);
    LocalTensor<float> yLocal = result.AllocTensor<float>();
    xLocal = source.DeQue<float>();
    Softplus(yLocal, xLocal);
    source.FreeTensor(xLocal);
    result.EnQue(yLocal);
    yLocal = result.DeQue<float>();
    AscendC::DataCopy(yGm, yLocal, TILE);
    result.FreeTensor(yLocal);
}
