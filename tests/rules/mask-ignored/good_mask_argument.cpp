// WholeReduceSum adds the first four of each pair list under a mask of its own, which its call leaves in the register:
// the sort after it is not meant to obey that mask.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[16])
extern "C" __global__ __aicore__ void best_of_two(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 64);
    yGm.SetGlobalBuffer((__gm__ float *)y, 16);
    TPipe pipe;
    TBuf<> inBuf, indexBuf, sortedBuf, sumBuf;
    pipe.InitBuffer(inBuf, 256);
    pipe.InitBuffer(indexBuf, 128);
    pipe.InitBuffer(sortedBuf, 256);
    pipe.InitBuffer(sumBuf, 64);
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<uint32_t> index = indexBuf.Get<uint32_t>();
    LocalTensor<float> sorted = sortedBuf.Get<float>();
    LocalTensor<float> sums = sumBuf.Get<float>();
    DataCopy(in, xGm, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(index, (uint32_t)0, 32);
    Duplicate(sums, 0.0f, 16);
    const uint64_t mask[2] = {0x55, 0};
    Sort32(sorted, in, index, 1);
    WholeReduceSum<float>(sums, sorted, mask, 1, 1, 1, 8);
    Sort32(sorted, in[32], index, 1);
    WholeReduceSum<float>(sums[8], sorted, mask, 1, 1, 1, 8);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(yGm, sums, 16);
}
