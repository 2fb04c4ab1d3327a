// The tile comes from the host: nothing but the launch says whether six tiles of it fit into UB.
#include "kernel_operator.h"
using namespace AscendC;

struct Params {
    uint32_t tile;
    uint32_t count;
};

//+// a2lint: launch(block_dim=1, x=float[16384], y=float[16384], p.tile=16384, p.count=1)
// a2lint: launch(block_dim=1, x=float[16384], y=float[16384], p.tile=4096, p.count=4)//-
extern "C" __global__ __aicore__ void square_tiles(GM_ADDR x, GM_ADDR y, Params p)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, p.tile * sizeof(float));
//+    pipe.InitBuffer(out, 2, p.tile * sizeof(float));  //~ capacity
    pipe.InitBuffer(out, 2, p.tile * sizeof(float));//-
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t i = 0; i < p.count; i++) {
        auto t = in.AllocTensor<float>();
        DataCopy(t, gx[i * p.tile], p.tile);
        in.EnQue(t);
        t = in.DeQue<float>();
        auto r = out.AllocTensor<float>();
        Mul(r, t, t, p.tile);
        in.FreeTensor(t);
        out.EnQue(r);
        r = out.DeQue<float>();
        DataCopy(gy[i * p.tile], r, p.tile);
        out.FreeTensor(r);
    }
}
