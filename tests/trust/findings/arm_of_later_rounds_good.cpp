// The sums of runs of equal indices: a run is given back where the next begins, which the first round never does.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], ids=int[32], y=float[512], count=8)
extern "C" __global__ __aicore__ void sums_of_runs(GM_ADDR x, GM_ADDR ids, GM_ADDR y, uint32_t count)
{
    GlobalTensor<float> from, to;
    GlobalTensor<int32_t> numbers;
    from.SetGlobalBuffer((__gm__ float *)x, 512);
    to.SetGlobalBuffer((__gm__ float *)y, 512);
    numbers.SetGlobalBuffer((__gm__ int32_t *)ids, 32);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> loaded;
    TQue<TPosition::VECOUT, 1> sums;
    TBuf<> memory;
    pipe.InitBuffer(loaded, 1, 256);
    pipe.InitBuffer(sums, 1, 256);
    pipe.InitBuffer(memory, 128);
    LocalTensor<int32_t> runs = memory.Get<int32_t>();
    DataCopy(runs, numbers, 32);
    PipeBarrier<PIPE_ALL>();
    LocalTensor<float> sum;
    bool isFirst = true;
    int32_t last = -1;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t run = runs.GetValue(i);
        if (!isFirst && run != last) {
            sums.EnQue(sum);
            sum = sums.DeQue<float>();
            DataCopy(to[last * 64], sum, 64);
            sums.FreeTensor(sum);
        }
        if (isFirst || run != last) {
            sum = sums.AllocTensor<float>();
            Duplicate(sum, 0.0f, 64);
        }
        LocalTensor<float> row = loaded.AllocTensor<float>();
        DataCopy(row, from[i * 64], 64);
        loaded.EnQue(row);
        row = loaded.DeQue<float>();
        Add(sum, sum, row, 64);
        loaded.FreeTensor(row);
        last = run;
        isFirst = false;
    }
    sums.EnQue(sum);
    sum = sums.DeQue<float>();
    DataCopy(to[last * 64], sum, 64);
    sums.FreeTensor(sum);
}
