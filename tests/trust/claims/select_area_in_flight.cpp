// While Select works on one buffer of a queue, the other one is being stored: the work area at 184 KB lies in it.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

template <uint32_t RESIDENT>
__aicore__ inline void Clip(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<> resident, bits;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(resident, RESIDENT);
    pipe.InitBuffer(bits, 32);
    pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<uint8_t> mask = bits.Get<uint8_t>();
    LocalTensor<float> zero = resident.Get<float>();
    Duplicate(zero, 0.0f, WIDTH);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, xGm[row * WIDTH], WIDTH);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Compare(mask, a, zero, CMPMODE::GT, WIDTH);
        Select(b, mask, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, WIDTH);
        //~^ WARNING select-overlap: on its way to or from global memory meanwhile
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
}

// The second buffer of `out` begins at 188416.
// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void in_the_queue(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Clip<188416 - 32 - 3 * 256>(x, y, rows);
}

// `out` ends at 188416.
// a2lint: launch(block_dim=2, x=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void below(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Clip<188416 - 32 - 4 * 256>(x, y, rows);
}
