// `all[0]` names where the data of a gather starts, and nothing says where it ends: the offsets stay below the results.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void reverse(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<int32_t> gx, gy;
    gx.SetGlobalBuffer((__gm__ int32_t*)x + GetBlockIdx() * 64);
    gy.SetGlobalBuffer((__gm__ int32_t*)y + GetBlockIdx() * 64);
    pipe.InitBuffer(buf, 192 * sizeof(int32_t));
    auto all = buf.Get<int32_t>();
    auto from = all[0];
    auto to = all[64];
    auto offsets = all[128];
    CreateVecIndex(offsets, 0, 64);
    Muls(offsets, offsets, 4, 64);
    DataCopy(from, gx, 64);
    PipeBarrier<PIPE_ALL>();
    Gather(to, from, offsets.ReinterpretCast<uint32_t>(), 0U, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, to, 64);
}
