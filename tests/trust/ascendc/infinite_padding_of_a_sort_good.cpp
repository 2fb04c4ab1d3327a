// Infinities pad the data of a sort. Their sign is changed and a finite number is added: none becomes NaN.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void smallest(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf, index, records;
    pipe.InitBuffer(buf, 32 * sizeof(float));
    pipe.InitBuffer(index, 32 * sizeof(float));
    pipe.InitBuffer(records, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 32);
    gy.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 64);
    auto a = buf.Get<float>();
    auto i = index.Get<uint32_t>();
    auto r = records.Get<float>();
    uint32_t bits = 0x7f800000;
    Duplicate(a, *reinterpret_cast<float*>(&bits), 32);
    PipeBarrier<PIPE_ALL>();
    DataCopy(a, gx, 8);
    PipeBarrier<PIPE_ALL>();
    Adds(a, a, 1.0f, 32);
    PipeBarrier<PIPE_V>();
    Muls(a, a, -1.0f, 32);
    CreateVecIndex(index.Get<int32_t>(), 0, 32);
    PipeBarrier<PIPE_V>();
    Sort32(r, a, i, 1);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, r, 64);
}
