// Two plain buffers: the vector unit must wait for both loads.
#include "kernel_operator.h"

constexpr int32_t LEN = 2048;

// a2lint: launch(block_dim=2, x=half[4096], y=half[4096], z=half[4096])
extern "C" __global__ __aicore__ void add_two(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    AscendC::TPipe tpipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> xb, yb;
    tpipe.InitBuffer(xb, LEN * sizeof(half));
    tpipe.InitBuffer(yb, LEN * sizeof(half));
    AscendC::GlobalTensor<half> xg, yg, zg;
    xg.SetGlobalBuffer((__gm__ half*)x + AscendC::GetBlockIdx() * LEN, LEN);
    yg.SetGlobalBuffer((__gm__ half*)y + AscendC::GetBlockIdx() * LEN, LEN);
    zg.SetGlobalBuffer((__gm__ half*)z + AscendC::GetBlockIdx() * LEN, LEN);
    auto a = xb.Get<half>();
    auto b = yb.Get<half>();
    AscendC::DataCopy(a, xg, LEN);
//+    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::DataCopy(b, yg, LEN);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);//-
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
//+    AscendC::Add(a, a, b, LEN);  //~ order
    AscendC::Add(a, a, b, LEN);//-
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID1);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID1);
    AscendC::DataCopy(zg, a, LEN);
}
