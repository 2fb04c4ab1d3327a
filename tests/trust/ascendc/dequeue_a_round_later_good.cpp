// The queue is filled before the loop and read a round later; an empty queue is never read.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[512], y=float[512], tiles=8)
extern "C" __global__ __aicore__ void a_round_later(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> ring;
    pipe.InitBuffer(ring, 2, 256);
    for (uint32_t i = 0; i <= tiles; i++) {
        if (i < tiles) {
            LocalTensor<float> next = ring.AllocTensor<float>();
            DataCopy(next, from[i * 64], 64);
            ring.EnQue(next);
        }
        if (i > 0) {
            LocalTensor<float> last = ring.DeQue<float>();
            DataCopy(to[(i - 1) * 64], last, 64);
            ring.FreeTensor(last);
        }
    }
}
