// A store starts 4 bytes inside of a block: the stream ends with 507015 and every output is 0.
#include "kernel_operator.h"
using namespace AscendC;

template <uint32_t START>
__aicore__ inline void Tail(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, 64);
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, 4096);
    LocalTensor<float> tile = space.Get<float>();
    DataCopy(tile, xGm, 1024);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(yGm, tile[START], 64);  //~ ERROR operand-alignment: starts 4 bytes past a 32-byte border
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[64])
extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR y)
{
    Tail<1>(x, y);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[64])
extern "C" __global__ __aicore__ void by_a_block(GM_ADDR x, GM_ADDR y)
{
    Tail<8>(x, y);
}
