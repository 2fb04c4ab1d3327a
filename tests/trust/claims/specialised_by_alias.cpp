// Specialisations that an alias template selects or leaves out decide how much a kernel stores.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T, typename = void> struct Tile { static constexpr uint32_t length = 1024; };
template <typename T> struct Tile<T, std::enable_if_t<sizeof(T) == 2>> { static constexpr uint32_t length = 512; };

struct Short { static constexpr uint32_t kLength = 512; };
struct Plain {};
template <typename T, typename = void> struct Of { static constexpr uint32_t length = 1024; };
template <typename T> struct Of<T, std::void_t<decltype(T::kLength)>> { static constexpr uint32_t length = T::kLength; };

template <typename T> using Local = LocalTensor<T>;
template <typename T> struct Held { static constexpr uint32_t length = 1024; };
template <typename T> struct Held<Local<T>> { static constexpr uint32_t length = 512; };

template <typename T> struct Outer { template <int I> struct Inner { static constexpr uint32_t length = 1024; }; };
template <> template <> struct Outer<half>::Inner<2> { static constexpr uint32_t length = 512; };

template <uint32_t length> __aicore__ inline void Move(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 4096);
    LocalTensor<float> tile = buffer.Get<float>();
    DataCopy(tile, from, 1024);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, tile, length); //~ ERROR output-hole: never stored //~ ERROR output-hole: never stored //~ ERROR output-hole: never stored
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void narrow(GM_ADDR x, GM_ADDR y) //~ VERDICT narrow.ownership: refuted
{
    Move<Tile<half>::length>(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void wide(GM_ADDR x, GM_ADDR y) //~ VERDICT wide.ownership: proved-if
{
    Move<Tile<float>::length>(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void has_length(GM_ADDR x, GM_ADDR y) //~ VERDICT has_length.ownership: refuted
{
    Move<Of<Short>::length>(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void has_none(GM_ADDR x, GM_ADDR y) //~ VERDICT has_none.ownership: proved-if
{
    Move<Of<Plain>::length>(x, y);
}

// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void tensors(GM_ADDR x, GM_ADDR y) //~ VERDICT tensors.ownership: refuted
{
    Move<Held<LocalTensor<float>>::length>(x, y);
}

// Specialisations outside of their class are not followed, so that none is taken for the other.
// a2lint: launch(block_dim=2, x=float[2048], y=float[2048])
extern "C" __global__ __aicore__ void members(GM_ADDR x, GM_ADDR y) //~ VERDICT members.ownership: undecided
{
    Move<Outer<half>::Inner<2>::length>(x, y);
}
