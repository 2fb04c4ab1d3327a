#include "kernel_operator.h"
#include "blend.h"

using namespace AscendC;

// a2lint: launch(block_dim=1, x=float[64], y=float[32])
extern "C" __global__ __aicore__ void take(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 64 * sizeof(float));
    pipe.InitBuffer(out, 1, 32 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gy.SetGlobalBuffer((__gm__ float *)y);
    LocalTensor<float> src = in.AllocTensor<float>();
    DataCopy(src, gx, 64);
    in.EnQue(src);
    src = in.DeQue<float>();
    LocalTensor<float> dst = out.AllocTensor<float>();
    uint64_t kept = 0;
    GatherMask(dst, src, PATTERN, false, 0, {1, 1, 8, 0}, kept);
    out.EnQue(dst);
    dst = out.DeQue<float>();
    DataCopy(gy, dst, 32);
    out.FreeTensor(dst);
    in.FreeTensor(src);
}
