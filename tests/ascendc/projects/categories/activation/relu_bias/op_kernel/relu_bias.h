// mistake: progress: inQueueX.FreeTensor(x); => outQueueY.FreeTensor(y);
#ifndef RELU_BIAS_H
#define RELU_BIAS_H
#include "kernel/tile_share.h"
#include "relu_bias_tiling_data.h"

namespace ReluBiasOp {
using namespace AscendC;

template <typename T>
class ReluBias {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ReluBiasTilingData *data, TPipe *pipe)
    {
        share = tiles::ShareOf(data->total, data->perCore);
        tile = data->tile;
        xGm.SetGlobalBuffer((__gm__ T *)x + share.first, share.count);
        yGm.SetGlobalBuffer((__gm__ T *)y + share.first, share.count);
        pipe->InitBuffer(inQueueX, 2, tile * sizeof(T));
        pipe->InitBuffer(outQueueY, 2, tile * sizeof(T));
        bias = data->bias;
    }
    __aicore__ inline void Process()
    {
        for (uint32_t at = 0; at < share.count; at += tile) {
            uint32_t count = share.count - at < tile ? share.count - at : tile;
            CopyIn(at, count);
            Compute(count);
            CopyOut(at, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t at, uint32_t count)
    {
        LocalTensor<T> x = inQueueX.AllocTensor<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        DataCopyPad(x, xGm[at], params, pad);
        inQueueX.EnQue(x);
    }
    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<T> x = inQueueX.DeQue<T>();
        LocalTensor<T> y = outQueueY.AllocTensor<T>();
        Adds(y, x, bias, count);
        Relu(y, y, count);
        outQueueY.EnQue(y);
        inQueueX.FreeTensor(x);
    }
    __aicore__ inline void CopyOut(uint32_t at, uint32_t count)
    {
        LocalTensor<T> y = outQueueY.DeQue<T>();
        DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
        DataCopyPad(yGm[at], y, params);
        outQueueY.FreeTensor(y);
    }

    TQue<QuePosition::VECIN, 2> inQueueX;
    TQue<QuePosition::VECOUT, 2> outQueueY;
    GlobalTensor<T> xGm, yGm;
    tiles::Share share;
    uint32_t tile;
    float bias;
};
} // namespace ReluBiasOp
#endif
