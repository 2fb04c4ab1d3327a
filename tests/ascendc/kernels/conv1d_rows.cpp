// y[r, i] = sum over k of w[k] * x[r, i + k], for rows that carry K - 1 elements of padding.
#include "kernel_operator.h"

#define TAPS 5

struct ConvTiling {
    uint32_t rows;
    uint32_t width;   // elements of a result row
    uint32_t stride;  // elements of an input row, width + TAPS - 1
};

class Conv1d {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y, const ConvTiling* tiling)
    {
        rows = tiling->rows;
        width = tiling->width;
        stride = tiling->stride;
        xGm.SetGlobalBuffer((__gm__ float*)x);
        wGm.SetGlobalBuffer((__gm__ float*)w, TAPS);
        yGm.SetGlobalBuffer((__gm__ float*)y);
        padded = (width + 7) / 8 * 8;
        pipe.InitBuffer(tapQueue, 2, padded * sizeof(float));
        pipe.InitBuffer(sumQueue, 2, padded * sizeof(float));
        for (int k = 0; k < TAPS; k++) {
            weight[k] = wGm.GetValue(k);
        }
    }

    __aicore__ inline void Process()
    {
        for (uint32_t r = AscendC::GetBlockIdx(); r < rows; r += AscendC::GetBlockNum()) {
            auto sum = sumQueue.AllocTensor<float>();
            AscendC::Duplicate(sum, 0.0f, width);
            for (int k = 0; k < TAPS; k++) {
                Load(r, k);
                auto tap = tapQueue.DeQue<float>();
                AscendC::Axpy(sum, tap, weight[k], width);
                tapQueue.FreeTensor(tap);
            }
            sumQueue.EnQue(sum);
            Store(r);
        }
    }

private:
    __aicore__ inline void Load(uint32_t r, uint32_t k)
    {
        auto tap = tapQueue.AllocTensor<float>();
        AscendC::DataCopyExtParams copy;
        copy.blockCount = 1;
        copy.blockLen = width * sizeof(float);
        AscendC::DataCopyPadExtParams<float> pad;
        AscendC::DataCopyPad(tap, xGm[r * stride + k], copy, pad);
        tapQueue.EnQue(tap);
    }
    __aicore__ inline void Store(uint32_t r)
    {
        auto sum = sumQueue.DeQue<float>();
        AscendC::DataCopyExtParams copy;
        copy.blockCount = 1;
        copy.blockLen = width * sizeof(float);
        AscendC::DataCopyPad(yGm[r * width], sum, copy);
        sumQueue.FreeTensor(sum);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> tapQueue;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> sumQueue;
    AscendC::GlobalTensor<float> xGm, wGm, yGm;
    float weight[TAPS];
    uint32_t rows, width, stride, padded;
};

// a2lint: launch(block_dim=2, x=float[6, 104], w=float[5], y=float[6, 100], tiling.rows=6, tiling.width=100, tiling.stride=104)
extern "C" __global__ __aicore__ void conv1d_rows(GM_ADDR x, GM_ADDR w, GM_ADDR y, ConvTiling tiling)
{
    Conv1d op;
    op.Init(x, w, y, &tiling);
    op.Process();
}
