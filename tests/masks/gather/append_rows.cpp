// Rows of different lengths one behind the other: gathered aligned, appended by bytes.
#include "kernel_operator.h"

using namespace AscendC;

__aicore__ inline void append(GlobalTensor<float> &out, LocalTensor<float> &x, LocalTensor<float> &y,
                              LocalTensor<uint32_t> &bits, uint32_t rows) {
    uint64_t total = 0;
    for (uint32_t row = 0; row < rows; ++row) {
        uint64_t kept = 0;
        GatherMask(y, x[row * 64], bits[row * 8], true, 64, {1, 1, 8, 0}, kept);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(out[total], y, {1, static_cast<uint32_t>(kept * sizeof(float)), 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        total += kept;
    }
}
