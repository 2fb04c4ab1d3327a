// A mask that gives 70 elements, in the mode that does not read it.
#include "kernel_operator.h"

using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[128], y=float[32])
extern "C" __global__ __aicore__ void even_columns(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 512);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gy.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> row = in.AllocTensor<float>();
    DataCopy(row, gx, 128);
    in.EnQue(row);
    row = in.DeQue<float>();
    LocalTensor<float> even = out.AllocTensor<float>();
    uint64_t kept = 0;
    GatherMask(even, row, 1, false, 70, {1, 2, 8, 0}, kept);  //~ ERROR gather-mask-arguments: ignores the mask 70
    in.FreeTensor(row);
    out.EnQue(even);
    even = out.DeQue<float>();
    DataCopy(gy, even, 32);
    out.FreeTensor(even);
}
