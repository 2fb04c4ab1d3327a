// A counter of eight bits never reaches 256: the loop does not end.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[256, 8], y=float[256, 8])
extern "C" __global__ __aicore__ void copy_blocks(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> blocks;
    pipe.InitBuffer(blocks, 2, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x, 2048);
    gy.SetGlobalBuffer((__gm__ float*)y, 2048);
//+    for (uint8_t i = 0; i < 256; i++) {
    for (uint16_t i = 0; i < 256; i++) {//-
        auto t = blocks.AllocTensor<float>();
//+        DataCopy(t, gx[i * 8], 8);  //~ scalars
        DataCopy(t, gx[i * 8], 8);//-
        blocks.EnQue(t);
        t = blocks.DeQue<float>();
        DataCopy(gy[i * 8], t, 8);
        blocks.FreeTensor(t);
    }
}
