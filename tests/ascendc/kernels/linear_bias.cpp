// y = max(x @ w^T + bias, 0) for rows of float: weights lie as rows of outputs, the bias starts each sum.
#include "kernel_operator.h"

namespace {
constexpr uint32_t ROWS = 16;
constexpr uint32_t DEPTH = 40;
constexpr uint32_t OUTPUTS = 32;

class LinearBias {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y)
    {
        x_.SetGlobalBuffer((__gm__ float *)x);
        w_.SetGlobalBuffer((__gm__ float *)w);
        bias_.SetGlobalBuffer((__gm__ float *)bias);
        y_.SetGlobalBuffer((__gm__ float *)y);
        pipe_.InitBuffer(x1_, 1, ROWS * DEPTH * sizeof(float));
        pipe_.InitBuffer(w1_, 1, OUTPUTS * DEPTH * sizeof(float));
        pipe_.InitBuffer(bias1_, 1, OUTPUTS * sizeof(float));
        pipe_.InitBuffer(x2_, 1, ROWS * DEPTH * sizeof(float));
        pipe_.InitBuffer(w2_, 1, OUTPUTS * DEPTH * sizeof(float));
        pipe_.InitBuffer(bias2_, 1, OUTPUTS * sizeof(float));
        pipe_.InitBuffer(sum_, 1, ROWS * OUTPUTS * sizeof(float));
    }
    __aicore__ inline void Process(uint32_t rows)
    {
        Weights();
        AscendC::LocalTensor<float> w = w2_.DeQue<float>();
        AscendC::LocalTensor<float> bias = bias2_.DeQue<float>();
        uint32_t blocks = (rows + ROWS - 1) / ROWS;
        for (uint32_t i = AscendC::GetBlockIdx(); i < blocks; i += AscendC::GetBlockNum()) {
            uint32_t live = i + 1 == blocks ? rows - i * ROWS : ROWS;
            Rows(w, bias, i * ROWS, live);
        }
        w2_.FreeTensor(w);
        bias2_.FreeTensor(bias);
    }

private:
    __aicore__ inline void Weights()
    {
        auto w1 = w1_.AllocTensor<float>();
        AscendC::DataCopy(w1, w_, AscendC::Nd2NzParams(1, OUTPUTS, DEPTH, 0, DEPTH, OUTPUTS, 1, 0));
        w1_.EnQue(w1);
        auto bias1 = bias1_.AllocTensor<float>();
        AscendC::DataCopy(bias1, bias_, OUTPUTS);
        bias1_.EnQue(bias1);
        w1 = w1_.DeQue<float>();
        bias1 = bias1_.DeQue<float>();
        // N rows of K columns in NZ are K rows of N columns in ZN: fractal by fractal.
        auto w2 = w2_.AllocTensor<float>();
        AscendC::LoadData(w2, w1, AscendC::LoadData2DParams(0, OUTPUTS / 16 * (DEPTH / 8), 1, 0, 0, false, 0));
        w2_.EnQue(w2);
        auto bias2 = bias2_.AllocTensor<float>();
        AscendC::DataCopy(bias2, bias1, OUTPUTS);
        bias2_.EnQue(bias2);
        w1_.FreeTensor(w1);
        bias1_.FreeTensor(bias1);
    }
    __aicore__ inline void Rows(const AscendC::LocalTensor<float> &w, const AscendC::LocalTensor<float> &bias,
                                uint32_t first, uint32_t live)
    {
        auto x1 = x1_.AllocTensor<float>();
        AscendC::DataCopy(x1, x_[first * DEPTH], AscendC::Nd2NzParams(1, live, DEPTH, 0, DEPTH, ROWS, 1, 0));
        x1_.EnQue(x1);
        x1 = x1_.DeQue<float>();
        auto x2 = x2_.AllocTensor<float>();
        AscendC::LoadData(x2, x1, AscendC::LoadData2DParams(0, DEPTH / 8, 1, 0, 0, false, 0));
        x2_.EnQue(x2);
        x1_.FreeTensor(x1);
        x2 = x2_.DeQue<float>();
        auto sum = sum_.AllocTensor<float>();
        AscendC::Mmad(sum, x2, w, bias, AscendC::MmadParams(ROWS, OUTPUTS, DEPTH, 0, true, false));
        sum_.EnQue(sum);
        x2_.FreeTensor(x2);
        sum = sum_.DeQue<float>();
        AscendC::FixpipeParamsV220 store(OUTPUTS, live, ROWS, OUTPUTS, true);
        AscendC::Fixpipe(y_[first * OUTPUTS], sum, store);
        sum_.FreeTensor(sum);
    }

    AscendC::TPipe pipe_;
    AscendC::TQue<AscendC::TPosition::A1, 1> x1_;
    AscendC::TQue<AscendC::TPosition::B1, 1> w1_;
    AscendC::TQue<AscendC::TPosition::C1, 1> bias1_;
    AscendC::TQue<AscendC::TPosition::A2, 1> x2_;
    AscendC::TQue<AscendC::TPosition::B2, 1> w2_;
    AscendC::TQue<AscendC::TPosition::C2, 1> bias2_;
    AscendC::TQue<AscendC::TPosition::CO1, 1> sum_;
    AscendC::GlobalTensor<float> x_, w_, bias_, y_;
};
} // namespace

// a2lint: launch(block_dim=2, x=float[50, 40], w=float[32, 40], bias=float[32], y=float[50, 32], rows=50)
extern "C" __global__ __aicore__ void linear_bias(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y, uint32_t rows)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    LinearBias op;
    op.Init(x, w, bias, y);
    op.Process(rows);
}
