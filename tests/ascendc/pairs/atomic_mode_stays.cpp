// Stores add until SetAtomicNone: the second output, which is to be overwritten, is added to as well.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 256;

// a2lint: launch(block_dim=2, x=float[512], total=float[256], copy=float[512])
extern "C" __global__ __aicore__ void sum_and_copy(GM_ADDR x, GM_ADDR total, GM_ADDR copy)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, N * sizeof(float));
    GlobalTensor<float> gx, gt, gc;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * N, N);
    gt.SetGlobalBuffer((__gm__ float*)total, N);
    gc.SetGlobalBuffer((__gm__ float*)copy + GetBlockIdx() * N, N);
    LocalTensor<float> t = queue.AllocTensor<float>();
    DataCopy(t, gx, N);
    queue.EnQue(t);
    t = queue.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopy(gt, t, N);
//+    DataCopy(gc, t, N);  //~ atomic-left-on
    SetAtomicNone();//-
    DataCopy(gc, t, N);//-
    queue.FreeTensor(t);
}
