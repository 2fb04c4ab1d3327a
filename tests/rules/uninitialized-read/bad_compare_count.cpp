// The last tile has 1808 elements: a comparison with a count works on whole repeats, and leaves out the last 16.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 2048;

// a2lint: launch(block_dim=4, n=5904, x=float[5904], y=float[5904])
extern "C" __global__ __aicore__ void clear_negative(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> qin;
    TQue<QuePosition::VECOUT, 2> qout;
    TBuf<TPosition::VECCALC> flags;
    pipe.InitBuffer(qin, 2, TILE * sizeof(float));
    pipe.InitBuffer(qout, 2, TILE * sizeof(float));
    pipe.InitBuffer(flags, TILE / 8);
    GlobalTensor<float> src, dst;
    src.SetGlobalBuffer((__gm__ float*)x, n);
    dst.SetGlobalBuffer((__gm__ float*)y, n);
    for (uint32_t t = GetBlockIdx(); t < (n + TILE - 1) / TILE; t += GetBlockNum()) {
        uint32_t len = n - t * TILE < TILE ? n - t * TILE : TILE;
        DataCopyExtParams part{1, static_cast<uint32_t>(len * sizeof(float)), 0, 0, 0};
        auto a = qin.AllocTensor<float>();
        DataCopyPad(a, src[t * TILE], part, {false, 0, 0, 0});
        qin.EnQue(a);
        a = qin.DeQue<float>();
        auto keep = flags.Get<uint8_t>();
        auto r = qout.AllocTensor<float>();
        CompareScalar(keep, a, 0.0f, CMPMODE::GT, len);
        Select(r, keep, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, len);
        qin.FreeTensor(a);
        qout.EnQue(r);
        r = qout.DeQue<float>();
        DataCopyPad(dst[t * TILE], r, part);  //~ ERROR uninitialized-read: stores undefined elements of `r`
        qout.FreeTensor(r);
    }
}
