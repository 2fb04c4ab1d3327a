// A comparison without a mask of its own names the placeholder, which is no mask that would be ignored.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[64])
extern "C" __global__ __aicore__ void positive_part(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> bits;
    pipe.InitBuffer(in, 1, 64 * sizeof(float));
    pipe.InitBuffer(out, 1, 64 * sizeof(float));
    pipe.InitBuffer(bits, 32);
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 64);
    to.SetGlobalBuffer((__gm__ float *)y, 64);
    auto row = in.AllocTensor<float>();
    DataCopy(row, from, 64);
    in.EnQue(row);
    row = in.DeQue<float>();
    auto kept = out.AllocTensor<float>();
    auto above = bits.Get<uint8_t>();
    BinaryRepeatParams once{1, 1, 1, 8, 8, 8};
    Duplicate(kept, 0.0f, 64);
    Compare<float, uint8_t, false>(above, row, kept, CMPMODE::GT, MASK_PLACEHOLDER, 1, once);
    Select(kept, above, row, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    in.FreeTensor(row);
    out.EnQue(kept);
    kept = out.DeQue<float>();
    DataCopy(to, kept, 64);
    out.FreeTensor(kept);
}
