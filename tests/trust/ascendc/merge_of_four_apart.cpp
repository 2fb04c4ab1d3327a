// Four sorted queues lie apart in their buffer: they are merged as queues of one are.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256], y=float[256])
extern "C" __global__ __aicore__ void merge(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> from, to;
    pipe.InitBuffer(from, 4 * 512);
    pipe.InitBuffer(to, 1024);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    auto a = from.Get<float>();
    auto b = to.Get<float>();
    for (uint32_t i = 0; i < 4; i++) {
        DataCopy(a[i * 128], gx[i * 64], 64);
    }
    PipeBarrier<PIPE_ALL>();
    MrgSort4Info info;
    info.elementLengths[0] = 32;
    info.elementLengths[1] = 32;
    info.elementLengths[2] = 32;
    info.elementLengths[3] = 32;
    info.ifExhaustedSuspension = false;
    info.validBit = 0b1111;
    info.repeatTimes = 1;
    MrgSortSrcList<float> list;
    list.src1 = a[0];
    list.src2 = a[128];
    list.src3 = a[256];
    list.src4 = a[384];
    MrgSort(b, list, info);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, b, 256);
}
//~ VERDICT merge.operands: proved
