// Half to float and bytes to half with the mode that they have.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=half[64], q=uint8[64], y=float[64], z=half[64])
extern "C" __global__ __aicore__ void widened(GM_ADDR x, GM_ADDR q, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> halves, bytes;
    TQue<TPosition::VECOUT, 1> floats, values;
    pipe.InitBuffer(halves, 1, 64 * sizeof(half));
    pipe.InitBuffer(bytes, 1, 64 * sizeof(uint8_t));
    pipe.InitBuffer(floats, 1, 64 * sizeof(float));
    pipe.InitBuffer(values, 1, 64 * sizeof(half));
    GlobalTensor<half> gx, gz;
    GlobalTensor<uint8_t> gq;
    GlobalTensor<float> gy;
    gx.SetGlobalBuffer((__gm__ half*)x);
    gq.SetGlobalBuffer((__gm__ uint8_t*)q);
    gy.SetGlobalBuffer((__gm__ float*)y);
    gz.SetGlobalBuffer((__gm__ half*)z);
    auto h = halves.AllocTensor<half>();
    DataCopy(h, gx, 64);
    halves.EnQue(h);
    h = halves.DeQue<half>();
    auto f = floats.AllocTensor<float>();
    Cast(f, h, RoundMode::CAST_NONE, 64);
    halves.FreeTensor(h);
    floats.EnQue(f);
    f = floats.DeQue<float>();
    DataCopy(gy, f, 64);
    floats.FreeTensor(f);
    auto b = bytes.AllocTensor<uint8_t>();
    DataCopy(b, gq, 64);
    bytes.EnQue(b);
    b = bytes.DeQue<uint8_t>();
    auto v = values.AllocTensor<half>();
    Cast(v, b, RoundMode::CAST_NONE, 64);
    bytes.FreeTensor(b);
    values.EnQue(v);
    v = values.DeQue<half>();
    DataCopy(gz, v, 64);
    values.FreeTensor(v);
}
