// What a comment cannot compute is named at its argument.
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=1, x=uint16_t[rows * 16])  //~ WARNING launch-unusable: `rows` has no value
// a2lint: launch(block_dim=1, x=uint16_t[16 / 0])  //~ WARNING launch-unusable: it divides by 0
// a2lint: launch(block_dim=1, x=uint16_t[8 - 16])  //~ WARNING launch-unusable: an extent of it is -8
// a2lint: launch(block_dim=1, x=uint_t[16])  //~ WARNING launch-unusable: `uint_t` is no element type
extern "C" __global__ __aicore__ void none(GM_ADDR x)
{
    GlobalTensor<uint16_t> gx;
    gx.SetGlobalBuffer((__gm__ uint16_t*)x);
    gx.SetValue(0, 1);
}
