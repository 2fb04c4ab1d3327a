// A store of padded rows: the last one leaves the tensor, the others overwrite the start of the row of another block.
// That is one mistake.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t C = 100, P = 104;

// a2lint: launch(block_dim=4, rows=10, x=float[1000], y=float[1000])
extern "C" __global__ __aicore__ void padded(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, P * sizeof(float));
    pipe.InitBuffer(out, 2, P * sizeof(float));
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
        auto a = in.AllocTensor<float>();
        DataCopyPad(a, gx[r * C], {1, C * sizeof(float), 0, 0, 0}, {true, 0, P - C, 0.0f});
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Adds(b, a, 1.0f, P);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopy(gy[r * C], b, P);  //~ ERROR gm-out-of-bounds: axis 0 has 1000 elements, and the transfer starts at [900]
        out.FreeTensor(b);
    }
}
