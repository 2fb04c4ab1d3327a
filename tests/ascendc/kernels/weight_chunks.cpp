// y = trunc(x * weight of the row): weights are loaded for `chunk` rows at a time, into a tensor that rows share.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T, template <typename U> typename To, template <typename U> typename From>
__aicore__ inline void CopyRow(const To<T>& to, const From<T>& from, uint32_t count, const DataCopyPadParams& pad = {})
{
    DataCopyParams rows;
    rows.blockLen = count * sizeof(T);
    if constexpr (std::is_same<To<T>, AscendC::LocalTensor<T>>::value) {
        DataCopyPad(to, from, rows, pad);
    } else {
        DataCopyPad(to, from, rows);
    }
}

class WeightChunks {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR weight, GM_ADDR y, uint32_t rows, uint32_t cols, uint32_t chunk)
    {
        rows_ = rows;
        cols_ = cols;
        chunk_ = chunk;
        xGm_.SetGlobalBuffer((__gm__ float*)x);
        yGm_.SetGlobalBuffer((__gm__ float*)y);
        weightGm_.SetGlobalBuffer((__gm__ float*)weight);
        padded_ = (cols + 7) / 8 * 8;
        pipe_.InitBuffer(xQue_, 1, padded_ * sizeof(float));
        pipe_.InitBuffer(yQue_, 1, padded_ * sizeof(float));
        if (chunk > 0) {
            pipe_.InitBuffer(weightQue_, 1, (chunk + 7) / 8 * 8 * sizeof(float));
        }
    }

    __aicore__ inline void Process()
    {
        for (uint32_t row = 0; row < rows_; ++row) {
            if (row % chunk_ == 0) {
                weights_ = weightQue_.AllocTensor<float>();
                const uint32_t count = rows_ - row < chunk_ ? rows_ - row : chunk_;
                CopyRow(weights_, weightGm_[row], count);
                weightQue_.EnQue(weights_);
                weights_ = weightQue_.DeQue<float>();
                TEventID loaded = GetTPipePtr()->FetchEventID(HardEvent::MTE2_S);
                SetFlag<HardEvent::MTE2_S>(loaded);
                WaitFlag<HardEvent::MTE2_S>(loaded);
            }
            Row(row, weights_.GetValue(row % chunk_));
            if (row % chunk_ == chunk_ - 1 || row == rows_ - 1) {
                TEventID read = GetTPipePtr()->FetchEventID(HardEvent::S_MTE2);
                SetFlag<HardEvent::S_MTE2>(read);
                WaitFlag<HardEvent::S_MTE2>(read);
                weightQue_.FreeTensor(weights_);
            }
        }
    }

private:
    __aicore__ inline void Row(uint32_t row, float weight)
    {
        AscendC::LocalTensor<float> x = xQue_.AllocTensor<float>();
        const uint8_t right = padded_ - cols_;
        CopyRow(x, xGm_[row * cols_], cols_, {right != 0, 0, right, 0});
        xQue_.EnQue(x);
        x = xQue_.DeQue<float>();
        AscendC::LocalTensor<float> y = yQue_.AllocTensor<float>();
        AscendC::Muls(x, x, weight, padded_);
        AscendC::Cast(y, x, RoundMode::CAST_TRUNC, padded_);
        xQue_.FreeTensor(x);
        yQue_.EnQue(y);
        y = yQue_.DeQue<float>();
        CopyRow(yGm_[row * cols_], y, cols_);
        yQue_.FreeTensor(y);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 1> xQue_, weightQue_;
    TQue<TPosition::VECOUT, 1> yQue_;
    LocalTensor<float> weights_;
    GlobalTensor<float> xGm_, yGm_, weightGm_;
    uint32_t rows_, cols_, chunk_, padded_;
};

// a2lint: launch(block_dim=1, x=float[210], weight=float[7], y=float[210], rows=7, cols=30, chunk=3)
extern "C" __global__ __aicore__ void weight_chunks(GM_ADDR x, GM_ADDR weight, GM_ADDR y, uint32_t rows, uint32_t cols,
                                                    uint32_t chunk)
{
    WeightChunks op;
    op.Init(x, weight, y, rows, cols, chunk);
    op.Process();
}
