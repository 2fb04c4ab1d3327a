// A loop that nothing shows to end is not said to end: a counter that wraps, stands still, passes or never meets its
// bound.
#include "kernel_operator.h"
using namespace AscendC;

//~ VERDICT narrow_counter.progress: open
extern "C" __global__ __aicore__ void narrow_counter(GM_ADDR x)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    for (uint8_t i = 0; i < 300; i++) {
        if (gx.GetValue(i) == 7) {
            gx.SetValue(i, 0);
        }
    }
}

//~ VERDICT narrow_while.progress: open
extern "C" __global__ __aicore__ void narrow_while(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 65536);
    uint16_t i = 0;
    while (i < n) {
        gx.SetValue(i, 0);
        i++;
    }
}

//~ VERDICT stands_still.progress: open
extern "C" __global__ __aicore__ void stands_still(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t i = 0;
    while (i < n) {
        gx.SetValue(i, 0);
    }
}

//~ VERDICT down_past_zero.progress: open
extern "C" __global__ __aicore__ void down_past_zero(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    for (uint32_t i = n; i >= 0; i--) {
        gx.SetValue(i % 8, 0);
    }
}

//~ VERDICT past_the_bound.progress: open
extern "C" __global__ __aicore__ void past_the_bound(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    for (uint32_t i = 0; i != n; i += 2) {
        gx.SetValue(i % 8, 0);
    }
}

//~ VERDICT do_nothing.progress: open
extern "C" __global__ __aicore__ void do_nothing(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t left = n;
    do {
        gx.SetValue(0, left);
        left = left + 1;
    } while (left > 0);
}

//~ VERDICT only_sometimes.progress: open
extern "C" __global__ __aicore__ void only_sometimes(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t left = n;
    while (left > 0) {
        if (gx.GetValue(left % 8) > 0) {
            left -= 1;
        }
    }
}

//~ VERDICT up_to_data.progress: open
extern "C" __global__ __aicore__ void up_to_data(GM_ADDR x)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    while (gx.GetValue(0) == 0) {
        gx.SetValue(1, 1);
    }
}

//~ VERDICT moving_bound.progress: open
extern "C" __global__ __aicore__ void moving_bound(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t i = 0;
    while (i < n) {
        gx.SetValue(i % 8, 0);
        i++;
        n++;
    }
}

//~ VERDICT rare_break.progress: open
extern "C" __global__ __aicore__ void rare_break(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t i = 0;
    while (true) {
        if (gx.GetValue(0) > 0) {
            i++;
            continue;
        }
        if (i > n) {
            break;
        }
    }
}

//~ VERDICT far_bound.progress: open
extern "C" __global__ __aicore__ void far_bound(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    uint32_t i = 0;
    while (i + 64 <= n) {
        gx.SetValue(i % 8, 0);
        i += 64;
    }
}

//~ VERDICT beyond_the_type.progress: open
extern "C" __global__ __aicore__ void beyond_the_type(GM_ADDR x)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    for (uint32_t i = 0; i < 5000000000; i++) {
        gx.SetValue(i % 8, 0);
    }
}
