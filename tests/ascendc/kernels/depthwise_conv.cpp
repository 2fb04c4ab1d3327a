// y[r, c] = sum over k of w[k, c] * x[r + k - 1, c]: three rows at a time, of which the last two are kept.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t TAPS = 3;
constexpr int32_t STRIP = 64;

class DepthwiseConv {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y, int32_t rows, int32_t cols)
    {
        rows_ = rows;
        cols_ = cols;
        const int32_t start = GetBlockIdx() * STRIP;
        x_.SetGlobalBuffer((__gm__ float*)x + start);
        w_.SetGlobalBuffer((__gm__ float*)w + start);
        y_.SetGlobalBuffer((__gm__ float*)y + start);
        pipe_.InitBuffer(window_, TAPS * STRIP * sizeof(float));
        pipe_.InitBuffer(taps_, TAPS * STRIP * sizeof(float));
        pipe_.InitBuffer(out_, 2, STRIP * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<float> taps = taps_.Get<float>();
        LocalTensor<float> window = window_.Get<float>();
        for (int32_t k = 0; k < TAPS; k++) {
            DataCopy(taps[k * STRIP], w_[k * cols_], STRIP);
        }
        Duplicate(window, 0.0f, TAPS * STRIP);
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        for (int32_t next = 0; next <= rows_; next++) {
            LocalTensor<float> last = window[(TAPS - 1) * STRIP];
            WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
            if (next < rows_) {
                DataCopy(last, x_[next * cols_], STRIP);
            }
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
            if (next == rows_) {
                Duplicate(last, 0.0f, STRIP);
            }
            if (next > 0) {
                Output(window, taps, next - 1);
            }
            for (int32_t k = 0; k + 1 < TAPS; k++) {
                Adds(window[k * STRIP], window[(k + 1) * STRIP], 0.0f, STRIP);
            }
            SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        }
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
    }

private:
    __aicore__ inline void Output(LocalTensor<float>& window, LocalTensor<float>& taps, int32_t row)
    {
        LocalTensor<float> sum = out_.AllocTensor<float>();
        Mul(sum, window, taps, STRIP);
        for (int32_t k = 1; k < TAPS; k++) {
            MulAddDst(sum, window[k * STRIP], taps[k * STRIP], STRIP);
        }
        out_.EnQue(sum);
        sum = out_.DeQue<float>();
        DataCopy(y_[row * cols_], sum, STRIP);
        out_.FreeTensor(sum);
    }

    TPipe pipe_;
    TBuf<TPosition::VECCALC> window_, taps_;
    TQue<TPosition::VECOUT, 1> out_;
    GlobalTensor<float> x_, w_, y_;
    int32_t rows_, cols_;
};

// a2lint: launch(block_dim=2, x=float[6, 128], w=float[3, 128], y=float[6, 128], rows=6, cols=128)
extern "C" __global__ __aicore__ void depthwise_conv(GM_ADDR x, GM_ADDR w, GM_ADDR y, int32_t rows, int32_t cols)
{
    DepthwiseConv op;
    op.Init(x, w, y, rows, cols);
    op.Process();
}
