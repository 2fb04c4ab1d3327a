// Loops whose counters surely come to their bounds end, in whichever form they are written; where that asks for a
// parameter to be at least 1, the verdict says so.
#include "kernel_operator.h"
using namespace AscendC;

struct Shape {
    uint32_t rows;
    uint32_t step;
};

//~ VERDICT while_up.progress: proved
extern "C" __global__ __aicore__ void while_up(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t i = 0;
    while (i < n) {
        gx.SetValue(i % 8, 0);
        i++;
    }
}

//~ VERDICT while_up_unsigned.progress: proved
extern "C" __global__ __aicore__ void while_up_unsigned(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    uint32_t i = 0;
    while (i < n) {
        gx.SetValue(i % 8, 0);
        ++i;
    }
}

//~ VERDICT while_down.progress: proved
extern "C" __global__ __aicore__ void while_down(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t left = n;
    while (left > 0) {
        gx.SetValue(left % 8, 0);
        left -= 16;
    }
}

//~ VERDICT do_up.progress: proved
extern "C" __global__ __aicore__ void do_up(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t i = 0;
    do {
        gx.SetValue(i % 8, 0);
        i += 2;
    } while (i < n);
}

//~ VERDICT broken_off.progress: proved
extern "C" __global__ __aicore__ void broken_off(GM_ADDR x, int32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t i = 0;
    while (true) {
        if (i >= n) {
            break;
        }
        gx.SetValue(i % 8, 0);
        i++;
    }
}

//~ VERDICT two_conditions.progress: proved
extern "C" __global__ __aicore__ void two_conditions(GM_ADDR x, int32_t n, int32_t m)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    int32_t i = 0;
    while (i < n && i < m) {
        gx.SetValue(i % 8, 0);
        i++;
    }
}

//~ VERDICT narrow_enough.progress: proved
extern "C" __global__ __aicore__ void narrow_enough(GM_ADDR x)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    for (uint8_t i = 0; i < 200; i++) {
        gx.SetValue(i % 8, 0);
    }
}

//~ VERDICT large_steps.progress: proved counters of loops stay inside of their types
extern "C" __global__ __aicore__ void large_steps(GM_ADDR x, uint32_t n)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    for (uint32_t i = 0; i < n; i += 4096) {
        gx.SetValue(i % 8, 0);
    }
}

//~ VERDICT step_of_tiling.progress: proved-if shape.step >= 1
extern "C" __global__ __aicore__ void step_of_tiling(GM_ADDR x, Shape shape)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    for (uint32_t i = 0; i < shape.rows; i += shape.step) {
        gx.SetValue(i % 8, 0);
    }
}

//~ VERDICT tiles_of_tiling.progress: proved
extern "C" __global__ __aicore__ void tiles_of_tiling(GM_ADDR x, Shape shape)
{
    GlobalTensor<int32_t> gx;
    gx.SetGlobalBuffer((__gm__ int32_t*)x, 1024);
    uint32_t tiles = shape.rows / shape.step;
    for (uint32_t i = 0; i < tiles; i++) {
        gx.SetValue(i % 8, 0);
    }
}
