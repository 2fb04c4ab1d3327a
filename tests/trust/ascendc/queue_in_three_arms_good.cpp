// Three arms initialise one queue, two of them with one size and all with as many buffers.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, n=64, mode=0, x=float[128], y=float[128])
// a2lint: launch(block_dim=2, n=64, mode=1, x=float[128], y=float[128])
// a2lint: launch(block_dim=2, n=64, mode=2, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR y, uint32_t n, uint32_t mode)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> q;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * n);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * n);
    if (mode == 0) {
        pipe.InitBuffer(q, 2, n * sizeof(float));
    } else if (mode == 1) {
        pipe.InitBuffer(q, 2, 2 * n * sizeof(float));
    } else {
        pipe.InitBuffer(q, 2, n * sizeof(float));
    }
    auto a = q.AllocTensor<float>();
    DataCopy(a, gx, n);
    q.EnQue(a);
    a = q.DeQue<float>();
    DataCopy(gy, a, n);
    q.FreeTensor(a);
}
//~ VERDICT copy.operands: tested
//~ VERDICT copy.progress: proved
