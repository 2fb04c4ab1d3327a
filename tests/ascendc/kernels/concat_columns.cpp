// y[r, :] = (a[r, :], b[r, :]): rows of both are copied side by side, several at once.
#include "kernel_operator.h"

namespace npu {
using AscendC::DataCopyExtParams;
using AscendC::DataCopyPad;
using AscendC::DataCopyPadExtParams;
using AscendC::GlobalTensor;
using AscendC::LocalTensor;

enum class Part : uint8_t { LEFT, RIGHT };

class ConcatColumns {
    AscendC::TPipe pipe;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> queue;
    GlobalTensor<half> left, right, result;
    uint32_t rows, widthA, widthB, block;

public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR y, uint32_t rows, uint32_t wa, uint32_t wb, uint32_t block)
    {
        this->rows = rows;
        widthA = wa;
        widthB = wb;
        this->block = block;
        left.SetGlobalBuffer((__gm__ half*)a);
        right.SetGlobalBuffer((__gm__ half*)b);
        result.SetGlobalBuffer((__gm__ half*)y);
        const uint32_t widest = wa > wb ? wa : wb;
        pipe.InitBuffer(queue, 2, block * ((widest * sizeof(half) + 31) / 32 * 32));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t r = AscendC::GetBlockIdx() * block; r < rows; r += AscendC::GetBlockNum() * block) {
            uint32_t n = rows - r;
            if (n > block) {
                n = block;
            }
            Move<Part::LEFT>(r, n);
            Move<Part::RIGHT>(r, n);
        }
    }

private:
    template <Part P>
    __aicore__ inline void Move(uint32_t r, uint32_t n)
    {
        const uint32_t width = P == Part::LEFT ? widthA : widthB;
        const uint32_t column = P == Part::LEFT ? 0 : widthA;
        const uint32_t bytes = width * sizeof(half);
        const uint32_t pitch = (widthA + widthB) * sizeof(half);
        LocalTensor<half> t = queue.AllocTensor<half>();
        DataCopyExtParams in{static_cast<uint16_t>(n), bytes, 0, 0, 0};
        DataCopyPadExtParams<half> pad{false, 0, 0, 0};
        if constexpr (P == Part::LEFT) {
            DataCopyPad(t, left[r * width], in, pad);
        } else {
            DataCopyPad(t, right[r * width], in, pad);
        }
        queue.EnQue(t);
        t = queue.DeQue<half>();
        DataCopyExtParams out{static_cast<uint16_t>(n), bytes, 0, pitch - bytes, 0};
        DataCopyPad(result[r * (widthA + widthB) + column], t, out);
        queue.FreeTensor(t);
    }
};
}  // namespace npu

// a2lint: launch(block_dim=2, a=half[10, 20], b=half[10, 12], y=half[10, 32], rows=10, wa=20, wb=12, block=4)
extern "C" __global__ __aicore__ void concat_columns(GM_ADDR a, GM_ADDR b, GM_ADDR y, uint32_t rows, uint32_t wa, uint32_t wb, uint32_t block)
{
    npu::ConcatColumns op;
    op.Init(a, b, y, rows, wa, wb, block);
    op.Process();
}
