// The results of a gather start where its data starts.
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
    auto offsets = all[128];
    CreateVecIndex(offsets, 0, 64);
    Muls(offsets, offsets, 4, 64);
    DataCopy(from, gx, 64);
    PipeBarrier<PIPE_ALL>();
    Gather(from, from, offsets.ReinterpretCast<uint32_t>(), 0U, 64);  //~ ERROR partial-overlap: cannot work in place
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, from, 64);
}
