// DataCopyPad to global memory counts its gaps in UB in blocks: 32 of them lead out of the buffer.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[12, 32], y=half[12, 16])
extern "C" __global__ __aicore__ void narrow(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 12 * 32 * sizeof(half));
    pipe.InitBuffer(out, 1, 12 * 32 * sizeof(half));
    GlobalTensor<half> gx, gy;
    gx.SetGlobalBuffer((__gm__ half*)x, 12 * 32);
    gy.SetGlobalBuffer((__gm__ half*)y, 12 * 16);
    auto a = in.AllocTensor<half>();
    DataCopy(a, gx, 12 * 32);
    in.EnQue(a);
    a = in.DeQue<half>();
    auto b = out.AllocTensor<half>();
    Exp(b, a, 12 * 32);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<half>();
    DataCopyExtParams store;
    store.blockCount = 12;
    store.blockLen = 16 * sizeof(half);
//+    store.srcStride = 16 * sizeof(half);
    store.srcStride = 16 * sizeof(half) / 32;//-
    store.dstStride = 0;
//+    DataCopyPad(gy, b, store);  //~ operands
    DataCopyPad(gy, b, store);//-
    out.FreeTensor(b);
}
