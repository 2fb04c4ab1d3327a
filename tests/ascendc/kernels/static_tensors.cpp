// z = x * y without a pipe object: addresses in UB are chosen by hand.
#include "kernel_operator.h"

namespace {
constexpr uint32_t LENGTH = 1024;
constexpr uint32_t X_ADDR = 0;
constexpr uint32_t Y_ADDR = X_ADDR + LENGTH * sizeof(half);
constexpr uint32_t Z_ADDR = Y_ADDR + LENGTH * sizeof(half);
}  // namespace

// a2lint: launch(block_dim=2, x=half[2048], y=half[2048], z=half[2048])
extern "C" __global__ __aicore__ void static_tensors(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    AscendC::InitSocState();
    AscendC::GlobalTensor<half> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ half*)x + AscendC::GetBlockIdx() * LENGTH, LENGTH);
    yGm.SetGlobalBuffer((__gm__ half*)y + AscendC::GetBlockIdx() * LENGTH, LENGTH);
    zGm.SetGlobalBuffer((__gm__ half*)z + AscendC::GetBlockIdx() * LENGTH, LENGTH);
    AscendC::LocalTensor<half> xLocal(AscendC::TPosition::VECIN, X_ADDR, LENGTH);
    AscendC::LocalTensor<half> yLocal(AscendC::TPosition::VECIN, Y_ADDR, LENGTH);
    AscendC::LocalTensor<half> zLocal(AscendC::TPosition::VECOUT, Z_ADDR, LENGTH);

    AscendC::DataCopy(xLocal, xGm, LENGTH);
    AscendC::DataCopy(yLocal, yGm, LENGTH);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Mul(zLocal, xLocal, yLocal, LENGTH);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(zGm, zLocal, LENGTH);
    AscendC::PipeBarrier<PIPE_ALL>();
}
