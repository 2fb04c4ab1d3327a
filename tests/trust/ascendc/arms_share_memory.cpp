// Both arms of a branch hand out the same memory: their sizes do not add up, but those of one arm do.
#include "kernel_operator.h"
using namespace AscendC;

struct RowTiling {
    uint32_t rows;
    uint32_t wide;
    uint32_t long_;
};

class Rows {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RowTiling& tiling, TPipe* pipe)
    {
        xGm_.SetGlobalBuffer((__gm__ float*)x);
        yGm_.SetGlobalBuffer((__gm__ float*)y);
        rows_ = tiling.rows;
        if (tiling.wide != 0) {
            pipe->InitBuffer(inQueue_, 1, tiling.long_ * sizeof(float));
            pipe->InitBuffer(outQueue_, 1, tiling.long_ * sizeof(float));
        } else {
            pipe->InitBuffer(rowBuf_, 16384 * sizeof(float));  //~ WARNING unused-buffer
            pipe->InitBuffer(sumBuf_, 16384 * sizeof(float));  //~ WARNING unused-buffer
        }
        wide_ = tiling.wide;
    }
    __aicore__ inline void Process()
    {
        if (wide_ != 0) {
            for (uint32_t row = 0; row < rows_; ++row) {
                LocalTensor<float> in = inQueue_.AllocTensor<float>();
                DataCopy(in, xGm_[row * 256], 256);
                inQueue_.EnQue(in);
                in = inQueue_.DeQue<float>();
                LocalTensor<float> out = outQueue_.AllocTensor<float>();
                Muls(out, in, 3.0f, 256);
                inQueue_.FreeTensor(in);
                outQueue_.EnQue(out);
                out = outQueue_.DeQue<float>();
                DataCopy(yGm_[row * 256], out, 256);
                outQueue_.FreeTensor(out);
            }
        }
    }

private:
    GlobalTensor<float> xGm_, yGm_;
    TQue<TPosition::VECIN, 1> inQueue_;
    TQue<TPosition::VECOUT, 1> outQueue_;
    TBuf<TPosition::VECCALC> rowBuf_, sumBuf_;
    uint32_t rows_, wide_;
};

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024], tiling.rows=4, tiling.wide=1, tiling.long_=16384)
extern "C" __global__ __aicore__ void one_arm_fits(GM_ADDR x, GM_ADDR y, RowTiling tiling)
{
    TPipe pipe;
    Rows op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}
