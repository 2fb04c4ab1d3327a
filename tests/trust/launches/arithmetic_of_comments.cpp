// Extents and numbers of a comment may be computed: products, sums, other arguments, and types as C++ spells them.
//~ VERDICT bounds: holds
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

// a2lint: launch(block_dim=2 + 2, rows=37, total=rows * 256, x=int32_t[37*256], y=int32_t[(rows + 3) / 4 * 4 * 256 - 768])
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t total)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, TILE * sizeof(int32_t));
    pipe.InitBuffer(out, 1, TILE * sizeof(int32_t));
    GlobalTensor<int32_t> gx, gy;
    gx.SetGlobalBuffer((__gm__ int32_t*)x);
    gy.SetGlobalBuffer((__gm__ int32_t*)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        auto a = in.AllocTensor<int32_t>();
        DataCopy(a, gx[row * TILE], TILE);
        in.EnQue(a);
        a = in.DeQue<int32_t>();
        auto b = out.AllocTensor<int32_t>();
        Add(b, a, a, TILE);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<int32_t>();
        DataCopy(gy[row * TILE], b, TILE);
        out.FreeTensor(b);
    }
}
