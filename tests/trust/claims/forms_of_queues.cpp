// Numbers of buffers are bytes, and the tensors of a queue of depth 0 are passed by reference.
#include "kernel_operator.h"
using namespace AscendC;

template <int DEPTH, int BUFFERS, bool BY_REFERENCE>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, DEPTH> rows;
    pipe.InitBuffer(rows, BUFFERS, 256);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    LocalTensor<float> row;
    if constexpr (BY_REFERENCE) {
        rows.template AllocTensor<float>(row);
    } else {
        row = rows.template AllocTensor<float>();
    }
    DataCopy(row, from, 64);
    rows.EnQue(row);
    if constexpr (BY_REFERENCE) {
        rows.template DeQue<float>(row);
    } else {
        row = rows.template DeQue<float>();
    }
    DataCopy(to, row, 64);
    rows.FreeTensor(row);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void no_buffers(GM_ADDR x, GM_ADDR y)
{
    Copy<1, 256, false>(x, y);
}
//~ PARTLY: queue `rows` has no buffers: 256 as uint8_t is 0

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void returned(GM_ADDR x, GM_ADDR y)
{
    Copy<0, 2, false>(x, y);
}
//~ PARTLY: AllocTensor() of `rows`, whose depth is 0

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void by_reference(GM_ADDR x, GM_ADDR y) //~ VERDICT by_reference.progress: proved
{
    Copy<0, 2, true>(x, y);
}

// a2lint: launch(block_dim=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void of_depth_one(GM_ADDR x, GM_ADDR y) //~ VERDICT of_depth_one.progress: proved
{
    Copy<1, 2, false>(x, y);
}
