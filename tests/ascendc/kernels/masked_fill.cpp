// y = x where x > threshold, else fill.
#include "kernel_operator.h"
using namespace AscendC;

class MaskedFill {
public:
    __aicore__ inline MaskedFill(TPipe* p) : pipe(p) {}
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t length, uint32_t tile)
    {
        uint32_t own = length / GetBlockNum();
        this->tile = tile;
        this->count = own / tile;
        xGm.SetGlobalBuffer((__gm__ float*)x + own * GetBlockIdx(), own);
        yGm.SetGlobalBuffer((__gm__ float*)y + own * GetBlockIdx(), own);
        pipe->InitBuffer(inQue, 2, tile * sizeof(float));
        pipe->InitBuffer(outQue, 2, tile * sizeof(float));
        pipe->InitBuffer(bitsBuf, tile / 8);
    }
    __aicore__ inline void Process(float threshold, float fill)
    {
        for (uint32_t i = 0; i < count; i++) {
            LocalTensor<float> x = inQue.AllocTensor<float>();
            DataCopy(x, xGm[i * tile], tile);
            inQue.EnQue(x);

            x = inQue.DeQue<float>();
            LocalTensor<float> y = outQue.AllocTensor<float>();
            LocalTensor<uint8_t> bits = bitsBuf.Get<uint8_t>();
            CompareScalar(bits, x, threshold, CMPMODE::GT, tile);
            Select(y, bits, x, fill, SELMODE::VSEL_TENSOR_SCALAR_MODE, tile);
            inQue.FreeTensor(x);
            outQue.EnQue(y);

            y = outQue.DeQue<float>();
            DataCopy(yGm[i * tile], y, tile);
            outQue.FreeTensor(y);
        }
    }

private:
    TPipe* pipe;
    TQue<TPosition::VECIN, 1> inQue;
    TQue<TPosition::VECOUT, 1> outQue;
    TBuf<TPosition::VECCALC> bitsBuf;
    GlobalTensor<float> xGm, yGm;
    uint32_t tile, count;
};

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048], length=2048, tile=512, threshold=0.25, fill=-1.0)
extern "C" __global__ __aicore__ void masked_fill(GM_ADDR x, GM_ADDR y, uint32_t length, uint32_t tile, float threshold, float fill)
{
    TPipe pipe;
    MaskedFill op(&pipe);
    op.Init(x, y, length, tile);
    op.Process(threshold, fill);
}
