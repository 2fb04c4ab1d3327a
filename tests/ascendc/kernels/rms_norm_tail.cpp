// RMS norm over rows of halfs of any length: rows are padded with zeros in UB, and computed in float.
#include "kernel_operator.h"
using namespace AscendC;

struct RmsNormTiling {
    uint32_t rows;
    uint32_t cols;
    uint32_t padded;
    float eps;
};

template <typename T>
class RmsNorm {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, const RmsNormTiling& tiling, TPipe* pipe)
    {
        t = tiling;
        xGm.SetGlobalBuffer((__gm__ T*)x);
        gammaGm.SetGlobalBuffer((__gm__ float*)gamma, t.cols);
        yGm.SetGlobalBuffer((__gm__ T*)y);
        pipe->InitBuffer(inQueueX, 2, t.padded * sizeof(T));
        pipe->InitBuffer(outQueueY, 2, t.padded * sizeof(T));
        pipe->InitBuffer(gammaBuf, t.padded * sizeof(float));
        pipe->InitBuffer(wideBuf, t.padded * sizeof(float));
        pipe->InitBuffer(squareBuf, t.padded * sizeof(float));
        pipe->InitBuffer(sumBuf, 32);
        gamma_ = gammaBuf.Get<float>();
        DataCopyPad(gamma_, gammaGm, {1, static_cast<uint32_t>(t.cols * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
        SetFlag<HardEvent::MTE2_V>(EVENT_ID5);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID5);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t row = GetBlockIdx(); row < t.rows; row += GetBlockNum()) {
            CopyIn(row);
            Compute();
            CopyOut(row);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t row)
    {
        LocalTensor<T> xLocal = inQueueX.template AllocTensor<T>();
        DataCopyExtParams copy{1, static_cast<uint32_t>(t.cols * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{true, 0, static_cast<uint8_t>(t.padded - t.cols), static_cast<T>(0)};
        DataCopyPad(xLocal, xGm[row * t.cols], copy, pad);
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<T> xLocal = inQueueX.template DeQue<T>();
        LocalTensor<T> yLocal = outQueueY.template AllocTensor<T>();
        LocalTensor<float> wide = wideBuf.Get<float>();
        LocalTensor<float> square = squareBuf.Get<float>();
        LocalTensor<float> sum = sumBuf.Get<float>();
        Cast(wide, xLocal, RoundMode::CAST_NONE, t.padded);
        inQueueX.FreeTensor(xLocal);
        Mul(square, wide, wide, t.padded);
        ReduceSum(sum, square, square, t.padded);
        const float scale = 1.0f / sqrt(sum.GetValue(0) / t.cols + t.eps);
        Muls(wide, wide, scale, t.cols);
        Mul(wide, wide, gamma_, t.cols);
        Cast(yLocal, wide, RoundMode::CAST_RINT, t.cols);
        outQueueY.EnQue(yLocal);
    }
    __aicore__ inline void CopyOut(uint32_t row)
    {
        LocalTensor<T> yLocal = outQueueY.template DeQue<T>();
        DataCopyPad(yGm[row * t.cols], yLocal, {1, static_cast<uint32_t>(t.cols * sizeof(T)), 0, 0, 0});
        outQueueY.FreeTensor(yLocal);
    }

    TQue<QuePosition::VECIN, 1> inQueueX;
    TQue<QuePosition::VECOUT, 1> outQueueY;
    TBuf<TPosition::VECCALC> gammaBuf, wideBuf, squareBuf, sumBuf;
    GlobalTensor<T> xGm, yGm;
    GlobalTensor<float> gammaGm;
    LocalTensor<float> gamma_;
    RmsNormTiling t;
};

// a2lint: launch(block_dim=3, x=half[7, 100], gamma=float[100], y=half[7, 100], tiling.rows=7, tiling.cols=100, tiling.padded=112, tiling.eps=0.00001)
extern "C" __global__ __aicore__ void rms_norm_tail(GM_ADDR x, GM_ADDR gamma, GM_ADDR y, RmsNormTiling tiling)
{
    TPipe pipe;
    RmsNorm<half> op;
    op.Init(x, gamma, y, tiling, &pipe);
    op.Process();
}
