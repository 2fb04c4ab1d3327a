// GatherMask: what follows a GatherMask.
// a2lint: auto-sync off
#include "kernel_operator.h"

using namespace AscendC;

namespace bad_auto_sync_off {
__aicore__ inline void gather_columns(LocalTensor<float> &dst, LocalTensor<float> &src, LocalTensor<float> &sum) {
    uint64_t kept = 0;
    GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    GatherMask(dst, src, 2, false, 0, {1, 1, 8, 0}, kept);
    //~^ ERROR race: GatherMask() writes `dst` on V while GatherMask() may still
    Add(sum, dst, dst, 32);  //~ ERROR race: Add() reads `dst` on V while GatherMask() may still
}
}  // namespace bad_auto_sync_off

// a2lint: launch(block_dim=1, x=float[8], y=float[8])
extern "C" __global__ __aicore__ void missing_barrier_bad_auto_sync_off(GM_ADDR x, GM_ADDR y)
{
    using namespace bad_auto_sync_off;
    TPipe pipe;
    TBuf<TPosition::VECCALC> dstBuf;
    pipe.InitBuffer(dstBuf, 8192);
    LocalTensor<float> dst = dstBuf.Get<float>();
    TBuf<TPosition::VECCALC> srcBuf;
    pipe.InitBuffer(srcBuf, 8192);
    LocalTensor<float> src = srcBuf.Get<float>();
    TBuf<TPosition::VECCALC> sumBuf;
    pipe.InitBuffer(sumBuf, 8192);
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(dst, 1.0f, 2048);
    Duplicate(src, 1.0f, 2048);
    Duplicate(sum, 1.0f, 2048);
    PipeBarrier<PIPE_ALL>();
    gather_columns(dst, src, sum);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, sum, 8);
}
