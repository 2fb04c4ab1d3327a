// Functions of the API as template arguments: the type of the parameter says which of the overloads is meant.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
using Operation = void(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, uint64_t, const uint8_t,
                       const BinaryRepeatParams &);
template <typename T> using Counted = void(const LocalTensor<T> &, const LocalTensor<T> &, const int32_t &);

template <typename T, Operation<T> *operation>
__aicore__ inline void Apply(const LocalTensor<T> &c, const LocalTensor<T> &a, uint8_t repeats)
{
    operation(c, a, a, 64, repeats, {1, 1, 1, 8, 8, 8});
}

template <typename T> __aicore__ inline void Doubled(const LocalTensor<T> &c, const LocalTensor<T> &a, const int32_t &n)
{
    Add(c, a, a, n);
}

template <typename T, Counted<T> *operation> class Row {
public:
    __aicore__ inline void Process(const LocalTensor<T> &c, const LocalTensor<T> &a, int32_t n) { operation(c, a, n); }
};

template <uint8_t repeats, bool counts> __aicore__ inline void Run(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, 128);
    to.SetGlobalBuffer((__gm__ float *)y, 128);
    TPipe pipe;
    TBuf<> first, second;
    pipe.InitBuffer(first, 512);
    pipe.InitBuffer(second, 512);
    LocalTensor<float> a = first.Get<float>();
    LocalTensor<float> c = second.Get<float>();
    DataCopy(a, from, 128);
    PipeBarrier<PIPE_ALL>();
    if constexpr (counts) {
        Row<float, Doubled> row;
        row.Process(c, a, 64 * repeats);
    } else {
        Apply<float, Mul>(c, a, repeats);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, c, 128); //~ ERROR uninitialized-read: undefined elements of `c`
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void all_of_it(GM_ADDR x, GM_ADDR y) //~ VERDICT all_of_it.initialised: proved-if
{
    Run<2, false>(x, y);
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void half_of_it(GM_ADDR x, GM_ADDR y) //~ VERDICT half_of_it.initialised: refuted
{
    Run<1, false>(x, y);
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void own(GM_ADDR x, GM_ADDR y) //~ VERDICT own.initialised: proved-if
{
    Run<2, true>(x, y);
}
