// Even and odd columns for rotary embedding, several rows to a repeat.
#include "kernel_operator.h"

using namespace AscendC;

class RopeHalves {
public:
    __aicore__ inline void Init(uint32_t headDim) { dim = headDim; }
    __aicore__ inline void Split(LocalTensor<half> &even, LocalTensor<half> &odd, LocalTensor<half> &row, uint32_t rows) {
        const uint32_t total = rows * dim;
        const uint16_t repeats = static_cast<uint16_t>((total + LANES - 1) / LANES);
        uint64_t kept = 0;
        GatherMaskParams params{1, repeats, 8, 0};
        GatherMask(even, row, 1, false, 0, params, kept);
        GatherMask(odd, row, 2, false, 0, params, kept);
        PipeBarrier<PIPE_V>();
        Muls(odd, odd, static_cast<half>(-1.0), total / 2);
    }

private:
    static constexpr uint32_t LANES = 256 / sizeof(half);
    uint32_t dim = 0;
};

// a2lint: launch(block_dim=1, y=half[64], rows=2)
extern "C" __global__ __aicore__ void rope_halves(GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> rowBuf;
    pipe.InitBuffer(rowBuf, 512);
    LocalTensor<half> row = rowBuf.Get<half>();
    TBuf<TPosition::VECCALC> evenBuf;
    pipe.InitBuffer(evenBuf, 256);
    LocalTensor<half> even = evenBuf.Get<half>();
    TBuf<TPosition::VECCALC> oddBuf;
    pipe.InitBuffer(oddBuf, 256);
    LocalTensor<half> odd = oddBuf.Get<half>();
    Duplicate(row, static_cast<half>(1.0), 256);
    Duplicate(even, static_cast<half>(0.0), 128);
    Duplicate(odd, static_cast<half>(0.0), 128);
    PipeBarrier<PIPE_ALL>();
    RopeHalves op;
    op.Init(64);
    op.Split(even, odd, row, rows);
    Add(odd, odd, even, 64);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<half> gy;
    gy.SetGlobalBuffer((__gm__ half*)y);
    DataCopy(gy, odd, 64);
}
