// A tensor that is changed in place is not stored whole: "proved" says that the other elements stay as they were.
//~ VERDICT floor.ownership: proved-if elements of `x` that are not stored keep their values
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

// a2lint: launch(block_dim=4, total=1551, x=float[total])
extern "C" __global__ __aicore__ void floor(GM_ADDR x, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, TILE * sizeof(float));
    pipe.InitBuffer(out, 1, TILE * sizeof(float));
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float*)x);
    for (uint32_t i = GetBlockIdx(); i < total / TILE; i += GetBlockNum()) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx[i * TILE], TILE);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Adds(b, a, 1.0f, TILE);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gx[i * TILE], b, TILE);
        out.FreeTensor(b);
    }
}
