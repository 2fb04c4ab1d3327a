// Counts of a merge that go to the members of an object, one behind the other, are not followed.
#include "kernel_operator.h"
using namespace AscendC;

struct Taken {
    uint32_t first, second, third, fourth;
};

// a2lint: launch(block_dim=1, x=float[256], y=float[256], counts=int[8])
extern "C" __global__ __aicore__ void into_members(GM_ADDR x, GM_ADDR y, GM_ADDR counts) //~ VERDICT into_members.bounds: undecided
{
    GlobalTensor<float> from, to;
    GlobalTensor<int32_t> numbers;
    from.SetGlobalBuffer((__gm__ float *)x, 256);
    to.SetGlobalBuffer((__gm__ float *)y, 256);
    numbers.SetGlobalBuffer((__gm__ int32_t *)counts, 8);
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out;
    pipe.InitBuffer(in, 1024);
    pipe.InitBuffer(out, 1024);
    LocalTensor<float> queues = in.Get<float>();
    LocalTensor<float> merged = out.Get<float>();
    DataCopy(queues, from, 256);
    PipeBarrier<PIPE_ALL>();
    MrgSortSrcList<float> lists(queues, queues[64], queues[128], queues[192]);
    const uint16_t lengths[4] = {32, 32, 32, 32};
    Taken taken{1, 2, 3, 4};
    MrgSort<float, true>(merged, lists, lengths, &taken.first, 0b1111, 1);
    numbers.SetValue(0, taken.first);
    numbers.SetValue(1, taken.second);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, merged, 256);
}
