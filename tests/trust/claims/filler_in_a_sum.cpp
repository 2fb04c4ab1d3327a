// DataCopyPad without a value fills the last block of a row with copies of its first element: a sum counts them.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t LENGTH = 100, PADDED = 104;

struct Row {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> work;
    GlobalTensor<float> xGm, yGm;

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        xGm.SetGlobalBuffer((__gm__ float *)x);
        yGm.SetGlobalBuffer((__gm__ float *)y);
        pipe.InitBuffer(in, 2, PADDED * sizeof(float));
        pipe.InitBuffer(out, 2, 32);
        pipe.InitBuffer(work, PADDED * sizeof(float));
    }
    __aicore__ inline void Store(uint32_t row, LocalTensor<float> y)
    {
        out.EnQue(y);
        y = out.DeQue<float>();
        DataCopyPad(yGm[row], y, {1, 4, 0, 0, 0});
        out.FreeTensor(y);
    }
    template <uint32_t COUNT>
    __aicore__ inline void Sum(uint32_t row)
    {
        LocalTensor<float> x = in.DeQue<float>();
        LocalTensor<float> y = out.AllocTensor<float>();
        ReduceSum(y, x, work.Get<float>(), COUNT);
        in.FreeTensor(x);
        Store(row, y);
    }
};

// a2lint: launch(block_dim=2, x=float[500], y=float[5], rows=5)
extern "C" __global__ __aicore__ void copies_are_added(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Row it;
    it.Init(x, y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.in.AllocTensor<float>();
        DataCopyPad(a, it.xGm[row * LENGTH], {1, LENGTH * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
        //~^ ERROR padding-in-reduction: `y` depends on the copies
        it.in.EnQue(a);
        it.Sum<PADDED>(row);
    }
}

// Nothing outside of the row is added.
// a2lint: launch(block_dim=2, x=float[500], y=float[5], rows=5)
extern "C" __global__ __aicore__ void the_row_is_added(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Row it;
    it.Init(x, y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.in.AllocTensor<float>();
        DataCopyPad(a, it.xGm[row * LENGTH], {1, LENGTH * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
        it.in.EnQue(a);
        it.Sum<LENGTH>(row);
    }
}

// Zeros add nothing.
// a2lint: launch(block_dim=2, x=float[500], y=float[5], rows=5)
extern "C" __global__ __aicore__ void zeros_are_added(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Row it;
    it.Init(x, y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.in.AllocTensor<float>();
        DataCopyPad(a, it.xGm[row * LENGTH], {1, LENGTH * sizeof(float), 0, 0, 0}, {true, 0, 4, 0.0f});
        it.in.EnQue(a);
        it.Sum<PADDED>(row);
    }
}

// A maximum over copies of an element is the maximum of the row.
// a2lint: launch(block_dim=2, x=float[500], y=float[5], rows=5)
extern "C" __global__ __aicore__ void copies_are_no_larger(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    Row it;
    it.Init(x, y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.in.AllocTensor<float>();
        DataCopyPad(a, it.xGm[row * LENGTH], {1, LENGTH * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
        it.in.EnQue(a);
        a = it.in.DeQue<float>();
        LocalTensor<float> y = it.out.AllocTensor<float>();
        ReduceMax(y, a, it.work.Get<float>(), PADDED);
        it.in.FreeTensor(a);
        it.Store(row, y);
    }
}
//~ VERDICT the_row_is_added.initialised: holds
//~ VERDICT zeros_are_added.initialised: holds
//~ VERDICT copies_are_added.initialised: refuted
