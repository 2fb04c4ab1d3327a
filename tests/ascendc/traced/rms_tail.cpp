// Rows of any width: loads pad the last block with zeros, and stores write the row alone.
#include "kernel_operator.h"

struct RmsTiling {
    uint32_t rows;
    uint32_t width;
    float epsilon;
};

class RmsNorm {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RmsTiling &tiling)
    {
        t_ = tiling;
        padded_ = (t_.width + 7) / 8 * 8;
        x_.SetGlobalBuffer((__gm__ float *)x);
        y_.SetGlobalBuffer((__gm__ float *)y);
        pipe_.InitBuffer(inQ_, 1, padded_ * sizeof(float));
        pipe_.InitBuffer(outQ_, 1, padded_ * sizeof(float));
        pipe_.InitBuffer(squares_, padded_ * sizeof(float));
        pipe_.InitBuffer(sum_, 32);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t r = AscendC::GetBlockIdx(); r < t_.rows; r += AscendC::GetBlockNum()) {
            AscendC::LocalTensor<float> in = inQ_.AllocTensor<float>();
            AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(t_.width * sizeof(float)), 0, 0, 0};
            AscendC::DataCopyPadExtParams<float> pad{true, 0, static_cast<uint8_t>(padded_ - t_.width), 0.0f};
            AscendC::DataCopyPad(in, x_[r * t_.width], copy, pad);
            inQ_.EnQue(in);
            Compute();
            AscendC::LocalTensor<float> out = outQ_.DeQue<float>();
            AscendC::DataCopyPad(y_[r * t_.width], out, copy);
            outQ_.FreeTensor(out);
        }
    }

private:
    __aicore__ inline void Compute()
    {
        AscendC::LocalTensor<float> in = inQ_.DeQue<float>();
        AscendC::LocalTensor<float> out = outQ_.AllocTensor<float>();
        AscendC::LocalTensor<float> squares = squares_.Get<float>();
        AscendC::LocalTensor<float> sum = sum_.Get<float>();
        AscendC::Mul(squares, in, in, padded_);
        AscendC::ReduceSum(sum, squares, squares, padded_);
        float mean = sum.GetValue(0) / static_cast<float>(t_.width);
        float scale = 1.0f / sqrt(mean + t_.epsilon);
        AscendC::Muls(out, in, scale, padded_);
        inQ_.FreeTensor(in);
        outQ_.EnQue(out);
    }

    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> inQ_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQ_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> squares_, sum_;
    AscendC::GlobalTensor<float> x_, y_;
    RmsTiling t_;
    uint32_t padded_ = 0;
};

// a2lint: launch(block_dim=4, x=float[10, 513], y=float[10, 513], tiling.rows=10, tiling.width=513, tiling.epsilon=0.00001)
extern "C" __global__ __aicore__ void rms_norm(GM_ADDR x, GM_ADDR y, RmsTiling tiling)
{
    RmsNorm op;
    op.Init(x, y, tiling);
    op.Process();
}
