//+// Half of the squares of the right operand are never transposed.
// All squares of the right operand are transposed.//-
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 64;

template <typename T, typename S>
class TransposedProduct {
public:
    __aicore__ inline TransposedProduct(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t rows, uint32_t depth, TPipe *pipe)
        : rows_(rows), depth_(depth)
    {
        a_.SetGlobalBuffer((__gm__ T *)a);
        b_.SetGlobalBuffer((__gm__ T *)b);
        c_.SetGlobalBuffer((__gm__ S *)c);
        pipe->InitBuffer(a1Que_, 1, ROWS * DEPTH * sizeof(T));
        pipe->InitBuffer(b1Que_, 1, N * DEPTH * sizeof(T));
        pipe->InitBuffer(a2Que_, 1, ROWS * DEPTH * sizeof(T));
        pipe->InitBuffer(b2Que_, 1, N * DEPTH * sizeof(T));
        pipe->InitBuffer(cQue_, 1, ROWS * N * sizeof(S));
        deep_ = (depth + SIDE - 1) / SIDE * SIDE;
    }
    __aicore__ inline void Process()
    {
        LoadB();
        LocalTensor<T> b2 = b2Que_.DeQue<T>();
        for (uint32_t row = GetBlockIdx() * ROWS; row < rows_; row += GetBlockNum() * ROWS) {
            const uint32_t live = rows_ - row < ROWS ? rows_ - row : ROWS;
            LoadA(row, live);
            LocalTensor<T> a2 = a2Que_.DeQue<T>();
            LocalTensor<S> c = cQue_.AllocTensor<S>();
            MmadParams product;
            // A product of one row would take the operand as one row of memory.
            product.m = live == 1 ? 16 : live;
            product.n = N;
            product.k = depth_;
            Mmad(c, a2, b2, product);
            a2Que_.FreeTensor(a2);
            cQue_.EnQue(c);
            c = cQue_.DeQue<S>();
            FixpipeParamsV220 out;
            out.nSize = N;
            out.mSize = live;
            out.srcStride = (product.m + 15) / 16 * 16;
            out.dstStride = N;
//+            Fixpipe(c_[row * N], c, out);  //~ initialised
            Fixpipe(c_[row * N], c, out);//-
            cQue_.FreeTensor(c);
        }
        b2Que_.FreeTensor(b2);
    }

private:
    static constexpr uint32_t ROWS = 32, DEPTH = 96;
    static constexpr uint32_t C0 = 32 / sizeof(T);
    // The side of a square: two fractals of bytes lie above each other, two of floats beside each other.
    static constexpr uint32_t SIDE = sizeof(T) == 1 ? 32 : 16;

    __aicore__ inline void LoadA(uint32_t row, uint32_t live)
    {
        LocalTensor<T> a1 = a1Que_.AllocTensor<T>();
        const uint16_t high = (live + 15) / 16 * 16;
        Nd2NzParams rows(1, live, depth_, 0, depth_, high, 1, 0);
        DataCopy(a1, a_[row * depth_], rows);
        a1Que_.EnQue(a1);
        a1 = a1Que_.DeQue<T>();
        LocalTensor<T> a2 = a2Que_.AllocTensor<T>();
        const uint32_t strips = (depth_ + C0 - 1) / C0;
        for (uint32_t at = 0; at < high / 16; at++) {
            LoadData2DParams fractals;
            fractals.repeatTimes = strips;
            fractals.srcStride = high / 16;
            LoadData(a2[at * 16 * strips * C0], a1[at * 16 * C0], fractals);
        }
        a2Que_.EnQue(a2);
        a1Que_.FreeTensor(a1);
    }
    __aicore__ inline void LoadB()
    {
        LocalTensor<T> b1 = b1Que_.AllocTensor<T>();
        if constexpr (sizeof(T) == 1) {
            DataCopy(b1, b_, Nd2NzParams(1, depth_, N, 0, N, deep_, 1, 0));
        } else {
            // Each slab of 16 rows has strips of one fractal, so that two of them lie side by side.
            DataCopy(b1, b_, Nd2NzParams(depth_ / SIDE, SIDE, N, SIDE * N, N, SIDE, 1, SIDE * N));
        }
        b1Que_.EnQue(b1);
        b1 = b1Que_.DeQue<T>();
        LocalTensor<T> b2 = b2Que_.AllocTensor<T>();
        LoadData2dTransposeParams squares;
        squares.srcStride = 1;
        if constexpr (sizeof(T) == 1) {
            squares.repeatTimes = deep_ / SIDE;
            squares.dstGap = N / 16 - 1;
//+            for (uint32_t at = 0; at < N / SIDE / 2; at++) {
            for (uint32_t at = 0; at < N / SIDE; at++) {//-
                LoadDataWithTranspose(b2[at * 2 * 512], b1[at * deep_ * C0], squares);
            }
        } else {
            squares.repeatTimes = N / SIDE;
            squares.dstFracGap = N / 16 - 1;
            for (uint32_t at = 0; at < deep_ / SIDE; at++) {
                LoadDataWithTranspose(b2[at * SIDE * N], b1[at * SIDE * N], squares);
            }
        }
        b2Que_.EnQue(b2);
        b1Que_.FreeTensor(b1);
    }

    uint32_t rows_, depth_, deep_;
    GlobalTensor<T> a_, b_;
    GlobalTensor<S> c_;
    TQue<TPosition::A1, 1> a1Que_;
    TQue<TPosition::B1, 1> b1Que_;
    TQue<TPosition::A2, 1> a2Que_;
    TQue<TPosition::B2, 1> b2Que_;
    TQue<TPosition::CO1, 1> cQue_;
};

// a2lint: launch(block_dim=2, a=int8[90, 80], b=int8[80, 64], c=int[90, 64], rows=90, depth=80)
extern "C" __global__ __aicore__ void transposed_bytes(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t rows, uint32_t depth)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    TPipe pipe;
    TransposedProduct<int8_t, int32_t>(a, b, c, rows, depth, &pipe).Process();
}
