// The namespace that a directive names decides about the sizes: with the other one, the copy leaves the tensor.
#include "kernel_operator.h"
using namespace AscendC;

namespace sizes {
constexpr int LENGTH = 128;
}
namespace other {
namespace sizes {
constexpr int LENGTH = 64;
}
} // namespace other

// a2lint: launch(block_dim=1, x=float[64], y=float[64], sizes=1)
extern "C" __global__ __aicore__ void the_outer_one(GM_ADDR x, GM_ADDR y, uint32_t sizes)
{
    using namespace sizes;
    TPipe pipe;
    TBuf<> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(buf, LENGTH * sizeof(float));
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, LENGTH);  //~ ERROR gm-out-of-bounds
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, 64);
}
