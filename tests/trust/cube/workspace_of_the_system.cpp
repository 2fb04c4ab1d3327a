// The system's workspace is asked for by a global function, with and without `using namespace`.
//~ VERDICT asked.order: proved
#include "kernel_operator.h"

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void asked(GM_ADDR x, GM_ADDR y)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    if (GetSysWorkSpacePtr() == nullptr) {
        return;
    }
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> space;
    pipe.InitBuffer(space, 64 * sizeof(float));
    AscendC::LocalTensor<float> tile = space.Get<float>();
    AscendC::GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x + AscendC::GetBlockIdx() * 64, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y + AscendC::GetBlockIdx() * 64, 64);
    AscendC::DataCopy(tile, xGm, 64);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
    AscendC::DataCopy(yGm, tile, 64);
    AscendC::PipeBarrier<PIPE_ALL>();
}
